import type { PdfRequest } from '@capture/contract/options/pdf-options';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { maxPixelHeight, maxPixels } from '../limits.ts';
import { isStill } from '../load/still-document.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { expandPage } from '../prepare/expand.ts';
import { growViewport } from '../prepare/grow-viewport.ts';
import { undoForPaper, undoForSheets } from '../prepare/steps.ts';
import { waitForFrame } from '../wait/settle.ts';
import { hasActed, settleMotion } from '../wait/settle-motion.ts';
import { readPdfPages } from './pdf-file.ts';
import { sizeForPaper } from './pdf-paper.ts';
import { type PrintOptions, print, printTemplate } from './pdf-print.ts';
import { openSinglePage } from './pdf-single-page.ts';
import type { RenderedFile, Renderer } from './renderer.ts';

const callWithinMs = 10_000;

/** How many frames to wait for: in the first a page learns its size, in the second it draws. */
const framesBeforePrinting = 2;

/** The scale at which Chromium draws the tall page, which is never shown: printing draws the page again. */
const drawnScale = 0.1;

/** CSS pixels per inch: CDP uses inches. */
const inch = 96;

/**
 * Height of the sheet in each attempt, relative to the measured content. Printing can make a page longer than it was
 * measured, by a break that cannot be removed. After the last attempt the PDF has two pages, and no content is lost.
 */
const heightFactors = [1, 1.05, 1.5];

export const pdfRenderer: Renderer<PdfRequest> = { medium: 'print', prints: true, check, draw };

function check({ paper_size: paper }: PdfRequest): void {
  checkSize(paper);
}

async function draw(page: CapturePage, request: PdfRequest, deadline: Deadline): Promise<RenderedFile> {
  await expandPage(page, deadline);
  if (request.single_page || !isStill(request)) await showAll(page, request, deadline);
  const bytes = request.single_page
    ? await printOnePage(page, request, deadline)
    : await printPages(page, request, deadline);
  const { width, height } = readPdfPages(bytes);
  checkSize({ width, height });
  return { format: 'pdf', width, height, bytes };
}

/** Shows elements that appear when they come into view, so that they are on the paper. */
async function showAll(page: CapturePage, request: PdfRequest, deadline: Deadline): Promise<void> {
  const limits = { what: 'showing all of the page', limitMs: callWithinMs, deadline };
  if (hasActed(request)) await settleMotion(page, deadline);
  await growViewport(page, { ...request, drawn_scale: request.is_mobile ? 1 : drawnScale }, deadline);
  await sizeForPaper(page, request, { width: printableWidth(request), drawnScale }, deadline);
  await undoForPaper(page, deadline);
  if (request.html === undefined) {
    await bestEffort(runInPage(page, 'useScreenStyles', null, limits));
    await bestEffort(runInPage(page, 'releaseBars', null, limits));
  }
  await bestEffort(runInPage(page, 'releaseLists', null, limits));
  // Unlike a screenshot, printing draws no frame for the page's scripts, so the worker waits for the next frames.
  for (let frame = 0; frame < framesBeforePrinting; frame += 1) await waitForFrame(page, deadline);
}

/** Prints on paper of the requested size, or of the size that the page's style names. */
async function printPages(page: CapturePage, request: PdfRequest, deadline: Deadline): Promise<Buffer> {
  const limits = { what: 'preparing the page for print', limitMs: callWithinMs, deadline };
  await undoForSheets(page, deadline);
  const { width: windowWidth, prefer_css_page_size: isSizedByPage } = request;
  await bestEffort(runInPage(page, 'fitCharts', { width: printableWidth(request), windowWidth }, limits));
  const sheet = { width: printableWidth(request), height: printableHeight(request) };
  // The page's own rules name the paper.
  if (!isSizedByPage) await bestEffort(runInPage(page, 'releaseRows', sheet, limits));
  return print(page, printOptions(request), deadline);
}

/** Returns the width between the margins of the paper, CSS pixels of the page. */
function printableWidth({ paper_size: paper, margins, scale }: PdfRequest): number {
  return (paper.width - margins.left - margins.right) / scale;
}

function printableHeight({ paper_size: paper, margins, scale }: PdfRequest): number {
  return (paper.height - margins.top - margins.bottom) / scale;
}

async function printOnePage(page: CapturePage, request: PdfRequest, deadline: Deadline): Promise<Buffer> {
  const { margins, scale } = request;
  const { width } = request.paper_size;
  const content = await openSinglePage(page, request, deadline);
  for (const [index, factor] of heightFactors.entries()) {
    const height = Math.ceil(content * factor * scale) + margins.top + margins.bottom;
    checkSize({ width, height });
    // The content decides the paper size, not the page's own `@page` rules.
    const options = { ...printOptions(request), paperHeight: height / inch, preferCSSPageSize: false };
    const bytes = await print(page, options, deadline);
    if (readPdfPages(bytes).count === 1 || index === heightFactors.length - 1) return bytes;
  }
  throw new Error('unreachable: the last attempt returns');
}

function printOptions(request: PdfRequest): PrintOptions {
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
    // Chromium builds the outline from the tags.
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

/** Checks a page of a PDF, in CSS pixels, against the limits of a screenshot. @throws {CaptureFailure} `PAGE_TOO_LARGE` */
function checkSize({ width, height }: { width: number; height: number }): void {
  if (height <= maxPixelHeight && width * height <= maxPixels) return;
  const size = `${Math.round(width)} × ${Math.round(height)}`;
  const limits = 'the limit is 100 million pixels and a height of 100,000';
  throw new CaptureFailure('PAGE_TOO_LARGE', `A page of the PDF would be ${size} pixels: ${limits}.`);
}
