import { createCanvas } from '@napi-rs/canvas';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PdfExpectation } from '../case.ts';
import { inBounds, inWords } from './bounds.ts';
import { countIn, type Pixels, readPixels } from './pixels.ts';

/** The maximum number of pages that are read. Further pages are only counted. */
const pagesRead = 20;

/** PDF units are 1/72 inch, CSS pixels 1/96. */
const scale = 96 / 72;

export interface DrawnPdf {
  count: number;
  /** The first pages, drawn at 96 dpi, with their text. */
  pages: { text: string; pixels: Pixels; png: Buffer }[];
}

/** Reads and draws a PDF. @throws {Error} if the bytes are no PDF. */
export async function drawPdf(bytes: Buffer): Promise<DrawnPdf> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false });
  try {
    const pdf = await loading.promise;
    const pages: DrawnPdf['pages'] = [];
    for (let number = 1; number <= Math.min(pagesRead, pdf.numPages); number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str : '')).join(' ');
      const viewport = page.getViewport({ scale });
      const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
      await page.render({ canvas: canvas as never, viewport, background: '#ffffff' }).promise;
      const png = canvas.toBuffer('image/png');
      pages.push({ text: text.replaceAll(/\s+/g, ' ').trim(), pixels: await readPixels(png), png });
      page.cleanup();
    }
    return { count: pdf.numPages, pages };
  } finally {
    await loading.destroy();
  }
}

/** Returns the errors of a PDF, in sentences. */
export function checkPdf({ count, pages }: DrawnPdf, expectation: PdfExpectation): string[] {
  const { pages: bounds, text = [], lacks = [], marks = [] } = expectation;
  const wrong: string[] = [];
  if (bounds && !inBounds(count, bounds)) wrong.push(`the PDF has ${count} pages, not ${inWords(bounds)}`);
  const all = pages.map((page) => page.text).join(' ');
  for (const each of text) if (!all.includes(each)) wrong.push(`the text “${each}” is missing`);
  for (const each of lacks) if (all.includes(each)) wrong.push(`the PDF contains the text “${each}”`);
  for (const { colour, page, ...range } of marks) {
    const drawn = page === undefined ? pages : pages.slice(page - 1, page);
    const found = drawn.reduce((sum, { pixels }) => sum + countIn(pixels, colour).found, 0);
    const where = page === undefined ? 'all pages' : `page ${page}`;
    if (!inBounds(found, range)) wrong.push(`${found} pixels of ${where} are ${colour}, not ${inWords(range)}`);
  }
  return wrong;
}
