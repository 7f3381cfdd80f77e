/** The visible content of a page, copied into a document without scripts, styles and network. */
export interface ContentCopy {
  document: Document;
  /** The part of the copy that an output writes. */
  root: Element;
  /** Whether the page has more than the limits allow. */
  truncated: boolean;
}

/** The copies of a document. */
export interface ContentCopies {
  /** The latest copy, and the selection that it was made for. */
  latest?: ContentCopy;
  selection?: string;
  /** The copies of a page that is held still, by selection. Several outputs share a copy. */
  kept?: Map<string, ContentCopy>;
  /** The written part, in a form that Markdown can express. */
  tidied?: Element;
}
