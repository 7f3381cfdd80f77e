/** The pages of a PDF: how many, and the size of the first one in CSS pixels. */
export interface PdfPages {
  count: number;
  width: number;
  height: number;
}

/** A point is 1/72 inch, a CSS pixel 1/96. */
const pixelsPerPoint = 96 / 72;

/** Pages hang in a tree; Chromium's has as many levels as eights multiply to its pages. */
const levelsAtMost = 32;

/**
 * Reads a PDF's own pages: what a record says of a file is what the file says. It reads what Chromium writes: a plain
 * table of the objects at the end, and dictionaries that are not packed.
 *
 * @throws {Error} when the bytes are no such PDF.
 */
export function readPdfPages(bytes: Buffer): PdfPages {
  const objects = readTable(bytes);
  const at = (number: number) => readObject(bytes, objects.get(number));
  const root = reference(objects.trailer, 'Root');
  const pages = at(reference(at(root), 'Pages'));
  const count = Number(/\/Count (\d+)/.exec(pages)?.[1]);
  let node = pages;
  for (let level = 0; level < levelsAtMost && /\/Kids/.test(node); level += 1) {
    node = at(Number(/\/Kids \[\s*(\d+) \d+ R/.exec(node)?.[1]));
  }
  const box = /\/MediaBox \[([-\d.\s]+)\]/.exec(node)?.[1]?.trim().split(/\s+/).map(Number) ?? [];
  const [left = Number.NaN, bottom = Number.NaN, right = Number.NaN, top = Number.NaN] = box;
  const width = Math.round((right - left) * pixelsPerPoint);
  const height = Math.round((top - bottom) * pixelsPerPoint);
  if (!(count > 0 && width > 0 && height > 0)) throw new Error('the browser gave no PDF');
  return { count, width, height };
}

/** Where each object begins, and the trailer. */
function readTable(bytes: Buffer): { get(number: number): number | undefined; trailer: string } {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - 1_024));
  const start = Number(/startxref\s+(\d+)\s+%%EOF/.exec(tail)?.[1]);
  const [, first, count] = /^xref\s+(\d+) (\d+)\s*\n/.exec(bytes.toString('latin1', start, start + 64)) ?? [];
  if (first === undefined || !bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) {
    throw new Error('the browser gave no PDF');
  }
  const rows = bytes.indexOf('\n', start + 5) + 1;
  // Each row has 20 bytes, the first ten of them the place.
  const place = (number: number) => Number(bytes.toString('latin1', rows + 20 * number, rows + 20 * number + 10));
  return {
    get: (number) => (number >= 0 && number < Number(count) ? place(number - Number(first)) : undefined),
    trailer: bytes.toString('latin1', rows + 20 * Number(count)),
  };
}

/** A dictionary's text without its strings: titles and languages are the page's, and may look like anything. */
function readObject(bytes: Buffer, place: number | undefined): string {
  if (place === undefined) return '';
  const end = bytes.indexOf('endobj', place);
  return bytes.toString('latin1', place, end === -1 ? place : end).replaceAll(/\((?:\\[\s\S]|[^\\)])*\)/g, '()');
}

function reference(dictionary: string, key: string): number {
  return Number(new RegExp(`/${key} (\\d+) \\d+ R`).exec(dictionary)?.[1]);
}
