/** What a visitor can see of a page, copied into a document without scripts, styles and network. */
export interface ContentCopy {
  document: Document;
  /** The part of the copy that is written. */
  root: Element;
  /** Whether the page has more than the limits allow. */
  truncated: boolean;
}

/** The copies of a document. */
export interface ContentCopies {
  /** The latest copy, and the selection that it was made for. */
  latest?: ContentCopy;
  selection?: string;
  /** By selection, the copies of a page that is held still: content that several outputs write is copied once. */
  kept?: Map<string, ContentCopy>;
  /** The part that is written, in a form that Markdown can express. */
  tidied?: Element;
}
