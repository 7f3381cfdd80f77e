import { contentCopies } from './content/latest-copy.ts';

export { copyContent } from './content/copy-content.ts';
export { readFields } from './content/read-fields.ts';
export { readContentMetadata } from './content/read-metadata.ts';
export { serializeDocument } from './content/serialize-document.ts';
export { writeHtml } from './content/write-html.ts';
export { writeLinks } from './content/write-links.ts';
export { writeText } from './content/write-text.ts';

/** Keeps the copies of a page that is held still, or forgets the copies. */
export function keepCopies(areKept: boolean): void {
  const copies = contentCopies();
  if (areKept) copies.kept = new Map();
  else delete copies.kept;
}
