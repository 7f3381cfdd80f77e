import type { PdfRequest } from '@capture/contract/options/pdf-options';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { pixelsAtMost, pixelsHighAtMost } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { openScroller } from '../page/scroll-scripts.ts';
import { waitForFrame } from '../page/settle.ts';
import { settleMotion } from './capture-area.ts';
import { readPdfPages } from './pdf-file.ts';
import { type Printing, print, printTemplate } from './pdf-print.ts';
import { openSinglePage } from './pdf-single-page.ts';
import type { RenderedFile, Renderer } from './renderer.ts';

const callWithinMs = 10_000;

/** One in which a page learns its size, one in which it draws. */
const framesBefore = 2;

/** CDP counts in inches, we in CSS pixels. */
const inch = 96;

/**
 * A page that was measured can still come out longer when it is printed, by a break that cannot be taken away. It is
 * given so much more room, try by try; then it has two pages, and nothing of it is lost.
 */
const roomByTry = [1, 1.05, 1.5];

export const pdfRenderer: Renderer<PdfRequest> = { medium: 'print', check, draw };

function check({ paper_size: paper }: PdfRequest): void {
  checkSize(paper);
}

async function draw(page: CapturePage, request: PdfRequest, deadline: Deadline): Promise<RenderedFile> {
  const opening = runInPage(page, openScroller, null, { what: 'opening the page', limitMs: callWithinMs, deadline });
  await bestEffort(opening);
  await settleMotion(page, deadline);
  // Printing draws no frame for the page's scripts, as a picture does: what they draw with the next ones is waited for here.
  for (let frame = 0; frame < framesBefore; frame += 1) await waitForFrame(page, deadline);
  const bytes = request.single_page
    ? await printOnePage(page, request, deadline)
    : await print(page, printingOf(request), deadline);
  const { width, height } = readPdfPages(bytes);
  checkSize({ width, height });
  return { format: 'pdf', width, height, bytes };
}

async function printOnePage(page: CapturePage, request: PdfRequest, deadline: Deadline): Promise<Buffer> {
  const { margins, scale } = request;
  const { width } = request.paper_size;
  const content = await openSinglePage(page, request, deadline);
  for (const [index, room] of roomByTry.entries()) {
    const height = Math.ceil(content * room * scale) + margins.top + margins.bottom;
    checkSize({ width, height });
    // The paper is what the content wants: the page's own sizes have no say.
    const printing = { ...printingOf(request), paperHeight: height / inch, preferCSSPageSize: false };
    const bytes = await print(page, printing, deadline);
    if (readPdfPages(bytes).count === 1 || index === roomByTry.length - 1) return bytes;
  }
  throw new Error('there is no last try');
}

function printingOf(request: PdfRequest): Printing {
  const { paper_size: paper, margins, header_html: header, footer_html: footer, page_ranges: pageRanges } = request;
  return {
    paperWidth: paper.width / inch,
    paperHeight: paper.height / inch,
    marginTop: margins.top / inch,
    marginRight: margins.right / inch,
    marginBottom: margins.bottom / inch,
    marginLeft: margins.left / inch,
    scale: request.scale,
    printBackground: request.print_background,
    preferCSSPageSize: request.prefer_css_page_size,
    // Chromium finds the headings of an outline in the tags.
    generateTaggedPDF: request.tagged || request.outline,
    generateDocumentOutline: request.outline,
    ...(pageRanges !== undefined && { pageRanges }),
    ...((header !== undefined || footer !== undefined) && {
      displayHeaderFooter: true,
      headerTemplate: printTemplate(header),
      footerTemplate: printTemplate(footer),
    }),
  };
}

/** Each page of a PDF has the limits of a picture, in CSS pixels. @throws {CaptureFailure} `PAGE_TOO_LARGE` */
function checkSize({ width, height }: { width: number; height: number }): void {
  if (height <= pixelsHighAtMost && width * height <= pixelsAtMost) return;
  const size = `${Math.round(width)} × ${Math.round(height)}`;
  const limits = 'at most 100 million pixels and a height of 100,000 are made';
  throw new CaptureFailure('PAGE_TOO_LARGE', `A page of the PDF would be ${size} pixels: ${limits}.`);
}
