import type { ScreenshotRequest } from '@capture/contract/options/screenshot-options';
import { ProtocolError } from 'puppeteer';
import { tooLongMessage } from '../browser/pipe-transport.ts';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { hasActed, settleMotion } from '../wait/settle-motion.ts';
import { type Area, openClip, openElement, openFullPage } from './capture-area.ts';
import { checkImageSize, type ImageFormat, type ImageSize, readImageSize } from './image-size.ts';
import type { PngEncoder, RenderedFile, Renderer } from './renderer.ts';
import { isResized, resize, resizedSize } from './resize.ts';

/** A viewport takes 0.05 s and 100 million pixels take 2 s on an idle machine. Some pages never draw a frame. */
const screenshotWithinMs = 30_000;

/**
 * Screenshots with more pixels are taken one at a time, and the browser counts as busy with them. The browser does nothing else
 * while it encodes 50 million pixels of noise for 0.7 s; WebP takes five times as long as PNG. With three large captures at once,
 * an ordinary capture took 0.95 s instead of 2.8 (p95), and the three took no longer.
 */
const largePixels = { png: 10_000_000, jpeg: 10_000_000, webp: 2_000_000 };

export function screenshotRenderer(encoder: PngEncoder): Renderer<ScreenshotRequest> {
  return { medium: 'screen', check, draw: (...capture) => draw(encoder, ...capture) };
}

function check(request: ScreenshotRequest): void {
  const { clip, full_page: fullPage, selector, width, height } = request;
  if (selector !== undefined) return;
  checkDrawn(request, drawnSize(request, fullPage ? { width, height } : (clip ?? { width, height })));
}

async function draw(
  encoder: PngEncoder,
  page: CapturePage,
  request: ScreenshotRequest,
  deadline: Deadline,
): Promise<RenderedFile> {
  const area = await openArea(page, request, deadline);
  const size = drawnSize(request, area ?? { width: request.width, height: request.height });
  checkDrawn(request, size);
  const { format } = request;
  // Resizing encodes the image again.
  const encoding = isResized(request)
    ? { format: 'png' as const, encoder: 'quick' as const }
    : { format, encoder, quality: request.quality };
  const take = () => takeScreenshot(page, { ...encoding, ...(area && { clip: area }) }, deadline);
  const isLarge = size.width * size.height >= largePixels[encoding.format];
  const image = isLarge ? await takeInTurn(page, take, deadline) : await take();
  const resizing = isResized(request) && resize(image, request, request);
  const bytes = resizing ? await page.step('resizing', screenshotWithinMs, deadline, resizing) : image;
  return { format, bytes, ...(await readImageSize(bytes, format)) };
}

/** Prepares the area to draw; null for the viewport at its current scroll position. */
async function openArea(page: CapturePage, request: ScreenshotRequest, deadline: Deadline): Promise<Area | null> {
  const { full_page: fullPage, selector, clip } = request;
  if (fullPage) return openFullPage(page, request, deadline);
  if (selector !== undefined) return openElement(page, selector, request, deadline);
  const area = clip ? await openClip(page, clip, request, deadline) : null;
  if (hasActed(request)) await settleMotion(page, deadline);
  return area;
}

export interface ScreenshotOptions {
  format: ImageFormat;
  encoder: PngEncoder;
  /** The quality of jpeg and webp. */
  quality?: number | undefined;
  /** Defaults to the viewport at its current scroll position; may extend beyond it. */
  clip?: Area;
}

/**
 * Takes a screenshot of the page in its current state.
 *
 * @throws {CaptureFailure} `PAGE_TOO_LARGE`, `CAPTURE_TIMEOUT`
 */
export async function takeScreenshot(
  page: CapturePage,
  { format, encoder, quality, clip }: ScreenshotOptions,
  deadline: Deadline,
): Promise<Buffer> {
  const screenshot = page.session.send('Page.captureScreenshot', {
    format,
    ...(quality !== undefined && format !== 'png' && { quality }),
    // A page of text takes 30 ms and 190 kB, or 47 ms and 125 kB without this option, which only PNG has (Chromium 156).
    optimizeForSpeed: format === 'png' && encoder === 'quick',
    ...(clip && { clip: { scale: 1, ...clip } }),
  });
  try {
    const { data } = await page.step('taking the screenshot', screenshotWithinMs, deadline, screenshot);
    return Buffer.from(data, 'base64');
  } catch (error) {
    if (!(error instanceof ProtocolError) || !error.message.includes(tooLongMessage)) throw error;
    const hint = format === 'png' ? '; use jpeg or webp' : '';
    throw new CaptureFailure('PAGE_TOO_LARGE', `The image would be larger than 96 MB${hint}.`, { cause: error });
  }
}

/** Takes a large screenshot when the browser takes no other. */
async function takeInTurn(page: CapturePage, take: () => Promise<Buffer>, deadline: Deadline): Promise<Buffer> {
  const drawing = page.chromium.drawInTurn(page.accountId, take);
  return page.step('taking the screenshot', Number.POSITIVE_INFINITY, deadline, drawing);
}

/** Returns the size of a part of the page in pixels of the image. Chromium rounds fractional pixels up. */
function drawnSize(
  { device_scale_factor: density }: ScreenshotRequest,
  { width, height, scale: zoom = 1 }: ImageSize & { scale?: number },
): ImageSize {
  const scale = density * zoom;
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
}

/** @throws {CaptureFailure} `PAGE_TOO_LARGE` for the screenshot before or after resizing. */
function checkDrawn(request: ScreenshotRequest, drawn: ImageSize): void {
  const { format } = request;
  checkImageSize(drawn, isResized(request) ? 'png' : format);
  if (isResized(request)) checkImageSize(resizedSize(drawn, request), format);
}
