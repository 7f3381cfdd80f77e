import sharp from 'sharp';
import { pixelsAtMost } from '../limits.ts';
import type { ImageFormat, ImageSize } from './image-size.ts';

export interface Resizing {
  resize_width?: number | undefined;
  resize_height?: number | undefined;
}

/** Whether anything is to be resized. */
export function isResized({ resize_width: width, resize_height: height }: Resizing): boolean {
  return width !== undefined || height !== undefined;
}

/**
 * Resizes a picture: to one side, the proportions kept, or to both: then it covers them, and what is too much is cut from
 * both sides or from the bottom, as the top of a page tells what it is.
 *
 * @param png what the browser drew.
 */
export async function resize(
  png: Buffer,
  { resize_width: width, resize_height: height }: Resizing,
  { format, quality }: { format: ImageFormat; quality?: number | undefined },
): Promise<Buffer> {
  const resized = sharp(png, { limitInputPixels: pixelsAtMost })
    .resize({ ...(width && { width }), ...(height && { height }), fit: 'cover', position: 'top' })
    .toFormat(format, { ...(quality !== undefined && { quality }) });
  return resized.toBuffer();
}

/** The size that it comes to. */
export function resizedSize(drawn: ImageSize, { resize_width: width, resize_height: height }: Resizing): ImageSize {
  const { width: drawnWidth, height: drawnHeight } = drawn;
  return {
    width: width ?? Math.max(1, Math.round((drawnWidth * (height ?? drawnHeight)) / drawnHeight)),
    height: height ?? Math.max(1, Math.round((drawnHeight * (width ?? drawnWidth)) / drawnWidth)),
  };
}
