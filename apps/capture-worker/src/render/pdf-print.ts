import { type Protocol, ProtocolError } from 'puppeteer';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { maxFileBytes } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';

/** The time limit for printing, milliseconds: 500 pages of text take 3 s, twice that with footers. */
const printWithinMs = 90_000;

const readWithinMs = 10_000;

/** Size of the chunks in which the file is read, bytes: each message of the browser is in memory three times. */
const chunkBytes = 1024 * 1024;

/** Chromium's error when the document has none of the requested pages; if some exist, Chromium prints those. */
const noSuchPage = 'Page range exceeds page count';

/** Lengths are in inches. */
export type PrintOptions = Omit<Protocol.Page.PrintToPDFRequest, 'transferMode'>;

/**
 * Prints the page. The browser keeps the file, which is read in chunks.
 *
 * @throws {CaptureFailure} `PAGE_TOO_LARGE`, `SELECTOR_NOT_FOUND` when the document has none of the requested pages,
 * `CAPTURE_TIMEOUT`
 */
export async function print(page: CapturePage, options: PrintOptions, deadline: Deadline): Promise<Buffer> {
  const printing = page.session.send('Page.printToPDF', { ...options, transferMode: 'ReturnAsStream' });
  const { stream } = await page.step('printing', printWithinMs, deadline, printing).catch((error) => {
    if (!(error instanceof ProtocolError) || !error.message.includes(noSuchPage)) throw error;
    const message = `The document has none of the pages that the option page_ranges names: ${options.pageRanges}.`;
    throw new CaptureFailure('SELECTOR_NOT_FOUND', message, { cause: error });
  });
  if (stream === undefined) throw new Error('the browser returned no PDF');
  try {
    return await readStream(page, stream, deadline);
  } finally {
    // Failures are ignored, because the stream ends with the page.
    page.session.send('IO.close', { handle: stream }).catch(() => undefined);
  }
}

async function readStream(page: CapturePage, handle: string, deadline: Deadline): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const read = () => {
    const reading = page.session.send('IO.read', { handle, size: chunkBytes });
    // After the end of the file nothing awaits this read.
    reading.catch(() => undefined);
    return reading;
  };
  let next = read();
  for (let length = 0; ; ) {
    const reading = next;
    // Chromium prepares the next chunk while this one arrives.
    next = read();
    const { data, base64Encoded, eof } = await page.step('reading the PDF', readWithinMs, deadline, reading);
    const chunk = Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxFileBytes) throw new CaptureFailure('PAGE_TOO_LARGE', 'The PDF would be larger than 96 MB.');
    if (eof) return Buffer.concat(chunks, length);
  }
}

/** A template that takes no space. For an empty template Chromium prints its default, with date, title and URL. */
const emptyTemplate = '<span></span>';

/**
 * Makes a header or footer template safe to print. Chromium lays the template out in a separate document: scripts do not run, and
 * frames, images and links load only `data:` URLs, so a template sends no request past the egress rules. But external style
 * sheets, fonts, masks and filters crash the renderer (puppeteer #7496, #10407). They would not load anyway, so the references
 * are removed. A reference hidden behind escapes harms only its own capture.
 */
export function printTemplate(html = ''): string {
  const harmless = html
    .replaceAll(/<link\b/gi, '<wbr')
    .replaceAll(/@import\b/gi, '@none')
    .replaceAll(/\burl\(\s*(?:"(?!data:|#)[^"]*"|'(?!data:|#)[^']*'|(?!["']|data:|#)[^)]*)\s*\)/gi, 'none');
  return harmless.trim() === '' ? emptyTemplate : harmless;
}
