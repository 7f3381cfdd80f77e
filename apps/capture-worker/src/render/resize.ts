import sharp from 'sharp';
import { maxPixels } from '../limits.ts';
import type { ImageFormat, ImageSize } from './image-size.ts';

interface ResizeOptions {
  resize_width?: number | undefined;
  resize_height?: number | undefined;
}

/** Whether the request resizes the image. */
export function isResized({ resize_width: width, resize_height: height }: ResizeOptions): boolean {
  return width !== undefined || height !== undefined;
}

/**
 * Resizes an image. With one side given, the aspect ratio stays. With both sides, the image covers them and is cropped on the
 * left and right or at the bottom, because the top of a page identifies it.
 *
 * @param png the browser's screenshot.
 */
export async function resize(
  png: Buffer,
  { resize_width: width, resize_height: height }: ResizeOptions,
  { format, quality }: { format: ImageFormat; quality?: number | undefined },
): Promise<Buffer> {
  const resized = sharp(png, { limitInputPixels: maxPixels })
    .resize({ ...(width && { width }), ...(height && { height }), fit: 'cover', position: 'top' })
    .toFormat(format, { ...(quality !== undefined && { quality }) });
  return resized.toBuffer();
}

export function resizedSize(
  drawn: ImageSize,
  { resize_width: width, resize_height: height }: ResizeOptions,
): ImageSize {
  const { width: drawnWidth, height: drawnHeight } = drawn;
  return {
    width: width ?? Math.max(1, Math.round((drawnWidth * (height ?? drawnHeight)) / drawnHeight)),
    height: height ?? Math.max(1, Math.round((drawnHeight * (width ?? drawnWidth)) / drawnWidth)),
  };
}
