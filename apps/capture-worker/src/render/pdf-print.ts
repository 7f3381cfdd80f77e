import { type Protocol, ProtocolError } from 'puppeteer';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { fileBytesAtMost } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';

/** 500 pages of text take 3 s on a free machine, with footers twice that; and pages that never come to an end. */
const printWithinMs = 90_000;

const readWithinMs = 10_000;

/** A part of the file at a time: a message of the browser's is in memory three times. */
const partBytes = 1024 * 1024;

/** How Chromium says that a document has none of the pages asked for; of a range that has some it prints those. */
const noSuchPage = 'Page range exceeds page count';

/** Lengths in inches. */
export type Printing = Omit<Protocol.Page.PrintToPDFRequest, 'transferMode'>;

/**
 * Prints the page. The file lies with the browser and is fetched in parts.
 *
 * @throws {CaptureFailure} `PAGE_TOO_LARGE`, `SELECTOR_NOT_FOUND` when there is none of the pages asked for,
 *   `CAPTURE_TIMEOUT`
 */
export async function print(page: CapturePage, printing: Printing, deadline: Deadline): Promise<Buffer> {
  const work = page.session.send('Page.printToPDF', { ...printing, transferMode: 'ReturnAsStream' });
  const { stream } = await page.step('printing', printWithinMs, deadline, work).catch((error) => {
    if (!(error instanceof ProtocolError) || !error.message.includes(noSuchPage)) throw error;
    const message = `The document has none of the pages that the option page_ranges names: ${printing.pageRanges}.`;
    throw new CaptureFailure('SELECTOR_NOT_FOUND', message, { cause: error });
  });
  if (stream === undefined) throw new Error('the browser gave no PDF');
  try {
    return await readStream(page, stream, deadline);
  } finally {
    // Nobody needs to know: what is not closed here ends with the page.
    page.session.send('IO.close', { handle: stream }).catch(() => undefined);
  }
}

async function readStream(page: CapturePage, handle: string, deadline: Deadline): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let length = 0; ; ) {
    const reading = page.session.send('IO.read', { handle, size: partBytes });
    const { data, base64Encoded, eof } = await page.step('reading the PDF', readWithinMs, deadline, reading);
    const part = Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
    parts.push(part);
    length += part.length;
    if (length > fileBytesAtMost)
      throw new CaptureFailure('PAGE_TOO_LARGE', 'The file of the PDF would be over 96 MB.');
    if (eof) return Buffer.concat(parts, length);
  }
}

/** Takes no room. An empty template would be Chromium's own, with date, title and address. */
const nothing = '<span></span>';

/**
 * What Chromium makes of a header or footer was tried: it is laid out beside the page, scripts do not run, frames, images
 * and links load nothing but `data:`, so no request of a template's goes around the guard, or anywhere. But a style sheet,
 * font, mask or filter that it wants from elsewhere makes the renderer crash (puppeteer #7496, #10407); as nothing of it
 * would come anyway, the references are taken out. One that hides behind escapes harms its own capture alone.
 */
export function printTemplate(html = ''): string {
  const harmless = html
    .replaceAll(/<link\b/gi, '<wbr')
    .replaceAll(/@import\b/gi, '@none')
    .replaceAll(/\burl\(\s*(?:"(?!data:|#)[^"]*"|'(?!data:|#)[^']*'|(?!["']|data:|#)[^)]*)\s*\)/gi, 'none');
  return harmless.trim() === '' ? nothing : harmless;
}
