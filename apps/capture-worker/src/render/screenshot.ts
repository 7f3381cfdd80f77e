import type { ScreenshotRequest } from '@capture/contract/options/screenshot-options';
import { ProtocolError } from 'puppeteer';
import { tooLongMessage } from '../browser/pipe-transport.ts';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { runInPage } from '../page/isolated-world.ts';
import { scrollToTop } from '../page/scroll-scripts.ts';
import { type Area, openElement, openFullPage, roundToPixels } from './capture-area.ts';
import { checkImageSize, type ImageFormat, type ImageSize, readImageSize } from './image-size.ts';
import type { PngEncoder, RenderedFile, Renderer } from './renderer.ts';
import { isResized, resize, resizedSize } from './resize.ts';

/** 0.05 s for a viewport, 2 s for 100 million pixels on a free machine; and pages of which no frame ever comes. */
const screenshotWithinMs = 30_000;

const callWithinMs = 10_000;

export function screenshotRenderer(encoder: PngEncoder): Renderer<ScreenshotRequest> {
  return { medium: 'screen', check, draw: (...capture) => draw(encoder, ...capture) };
}

function check(request: ScreenshotRequest): void {
  const { clip, full_page: fullPage, selector, width, height } = request;
  if (selector !== undefined) return;
  checkSize(request, fullPage ? { width, height } : (clip ?? { width, height }));
}

async function draw(
  encoder: PngEncoder,
  page: CapturePage,
  request: ScreenshotRequest,
  deadline: Deadline,
): Promise<RenderedFile> {
  const area = await areaOf(page, request, deadline);
  checkSize(request, area ?? { width: request.width, height: request.height });
  if (request.omit_background) await omitBackground(page, deadline);
  const { format } = request;
  // What is made smaller is encoded once more.
  const how = isResized(request)
    ? { format: 'png' as const, encoder: 'quick' as const }
    : { format, encoder, quality: request.quality };
  const shot = await takeScreenshot(page, { ...how, ...(area && { clip: area }) }, deadline);
  const resizing = isResized(request) && resize(shot, request, request);
  const bytes = resizing ? await page.step('resizing', screenshotWithinMs, deadline, resizing) : shot;
  return { format, bytes, ...(await readImageSize(bytes, format)) };
}

/** What is drawn, from the page's upper left corner; null for the viewport, where it stands. */
async function areaOf(page: CapturePage, request: ScreenshotRequest, deadline: Deadline): Promise<Area | null> {
  const { full_page: fullPage, selector, clip } = request;
  if (fullPage) return openFullPage(page, request, deadline);
  if (selector !== undefined) return openElement(page, selector, deadline);
  if (!clip) return null;
  await runInPage(page, scrollToTop, null, { what: 'scrolling to the top', limitMs: callWithinMs, deadline });
  return roundToPixels(clip);
}

/** What was asked for of a picture's pixels. */
export interface ScreenshotOptions {
  format: ImageFormat;
  /** Of a png. */
  encoder: PngEncoder;
  /** Of a jpeg or webp. */
  quality?: number | undefined;
  /** The viewport where it stands unless given; may reach beyond it. */
  clip?: Area;
}

/**
 * Draws what the page shows.
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
    // A page of text is 190 kB in 30 ms, or 125 kB in 47 (Chromium 156). The other formats know no such thing.
    optimizeForSpeed: format === 'png' && encoder === 'quick',
    ...(clip && { clip: { scale: 1, ...clip } }),
  });
  try {
    const { data } = await page.step('taking the picture', screenshotWithinMs, deadline, screenshot);
    return Buffer.from(data, 'base64');
  } catch (error) {
    if (!(error instanceof ProtocolError) || !error.message.includes(tooLongMessage)) throw error;
    const hint = format === 'png' ? '; use jpeg or webp' : '';
    throw new CaptureFailure('PAGE_TOO_LARGE', `The file of the picture would be over 96 MB${hint}.`, { cause: error });
  }
}

async function omitBackground(page: CapturePage, deadline: Deadline): Promise<void> {
  const color = { r: 0, g: 0, b: 0, a: 0 };
  const setting = page.session.send('Emulation.setDefaultBackgroundColorOverride', { color });
  await page.step('omitting the background', callWithinMs, deadline, setting);
}

/** @throws {CaptureFailure} `PAGE_TOO_LARGE` for what is drawn, and for what becomes of it. */
function checkSize(
  request: ScreenshotRequest,
  { width, height, scale: zoom = 1 }: ImageSize & { scale?: number },
): void {
  const { format } = request;
  const scale = request.device_scale_factor * zoom;
  // Chromium rounds up where the scale gives a part of a pixel.
  const drawn = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  checkImageSize(drawn, isResized(request) ? 'png' : format);
  if (isResized(request)) checkImageSize(resizedSize(drawn, request), format);
}
