import { defaultQuality, type ScreenshotRequest } from '@capture/contract/capture-options';
import { ProtocolError } from 'puppeteer';
import type { CapturePage } from '../capture-page.ts';
import type { Deadline } from '../deadline.ts';
import { tooLongMessage } from '../pipe-transport.ts';
import { type ImageSize, readImageSize } from './image-size.ts';
import { checkPictureSize, tooLarge } from './picture-limits.ts';
import { openWholePage } from './whole-page.ts';

/** 0.05 s for a viewport, 2 s for 100 million pixels on a free machine; and pages of which no frame ever comes. */
const shootWithinMs = 30_000;

export type ScreenshotOptions = Pick<
  ScreenshotRequest,
  'format' | 'quality' | 'full_page' | 'width' | 'height' | 'device_scale_factor'
>;

export interface Picture extends ImageSize {
  format: ScreenshotOptions['format'];
  bytes: Buffer;
}

/**
 * Refuses what is too large whatever the page is, before anything is loaded for it.
 *
 * @throws {CaptureFailure} `PAGE_TOO_LARGE`
 */
export function checkScreenshot(options: ScreenshotOptions): void {
  checkPictureSize(inPixels(options, options.height), options.format);
}

/**
 * Draws the page as it is now: its viewport, or the whole of it.
 *
 * @throws {CaptureFailure} `PAGE_TOO_LARGE`, `CAPTURE_TIMEOUT`
 * @throws {BrowserTrouble} when the browser let us down.
 */
export async function takeScreenshot(
  page: CapturePage,
  options: ScreenshotOptions,
  deadline: Deadline,
): Promise<Picture> {
  const height = options.full_page ? await openWholePage(page, options, deadline) : options.height;
  const expected = inPixels(options, height);
  checkPictureSize(expected, options.format);
  const shooting = shoot(page, options, height);
  const bytes = await page.step('taking the picture', shootWithinMs, deadline, shooting).catch((error) => {
    if (error instanceof ProtocolError && error.message.includes(tooLongMessage)) {
      throw tooLarge(expected, `its file would be over 96 MB${options.format === 'png' ? '; use jpeg or webp' : ''}`);
    }
    throw error;
  });
  return { format: options.format, bytes, ...readImageSize(bytes, options.format) };
}

async function shoot(page: CapturePage, options: ScreenshotOptions, height: number): Promise<Buffer> {
  const { format, quality = defaultQuality, full_page: wholePage, width } = options;
  const { data } = await page.session.send('Page.captureScreenshot', {
    format,
    ...(format !== 'png' && { quality }),
    // Chromium's quick PNG encoder: throughput × 1.5, files 1.1 to 1.45 times as large. The others know no such thing.
    optimizeForSpeed: format === 'png',
    ...(wholePage && { clip: { x: 0, y: 0, width, height, scale: 1 } }),
  });
  return Buffer.from(data, 'base64');
}

/** Chromium rounds up where the scale gives a part of a pixel. */
function inPixels(options: ScreenshotOptions, height: number): ImageSize {
  const { width, device_scale_factor: scale } = options;
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
}
