/** The number of a PDF's pages, and the size of the first page in CSS pixels. */
interface PdfPages {
  count: number;
  width: number;
  height: number;
}

/** A point is 1/72 inch, a CSS pixel 1/96. */
const pixelsPerPoint = 96 / 72;

/** How deep the page tree may be; in Chromium's tree, each node has at most eight children. */
const levelsAtMost = 32;

/**
 * Counts and measures a PDF's pages from the file itself. It reads only the form that Chromium writes: a plain cross-reference
 * table at the end, and uncompressed dictionaries.
 *
 * @throws {Error} when the bytes are not such a PDF.
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
  if (!(count > 0 && width > 0 && height > 0)) throw new Error('the browser returned no PDF');
  return { count, width, height };
}

/** Reads the offset of each object, and the trailer. */
function readTable(bytes: Buffer): { get(number: number): number | undefined; trailer: string } {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - 1_024));
  const start = Number(/startxref\s+(\d+)\s+%%EOF/.exec(tail)?.[1]);
  const [, first, count] = /^xref\s+(\d+) (\d+)\s*\n/.exec(bytes.toString('latin1', start, start + 64)) ?? [];
  if (first === undefined || !bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) {
    throw new Error('the browser returned no PDF');
  }
  const rows = bytes.indexOf('\n', start + 5) + 1;
  // Each row has 20 bytes; the first ten are the offset.
  const offset = (number: number) => Number(bytes.toString('latin1', rows + 20 * number, rows + 20 * number + 10));
  return {
    get: (number) => (number >= 0 && number < Number(count) ? offset(number - Number(first)) : undefined),
    trailer: bytes.toString('latin1', rows + 20 * Number(count)),
  };
}

/** Returns a dictionary's text without its strings: titles and languages come from the page and may contain any text. */
function readObject(bytes: Buffer, offset: number | undefined): string {
  if (offset === undefined) return '';
  const end = bytes.indexOf('endobj', offset);
  return bytes.toString('latin1', offset, end === -1 ? offset : end).replaceAll(/\((?:\\[\s\S]|[^\\)])*\)/g, '()');
}

function reference(dictionary: string, key: string): number {
  return Number(new RegExp(`/${key} (\\d+) \\d+ R`).exec(dictionary)?.[1]);
}
