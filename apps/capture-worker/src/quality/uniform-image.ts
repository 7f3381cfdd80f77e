import sharp from 'sharp';
import type { RenderedFile } from '../render/renderer.ts';

/**
 * Bytes per pixel below which an image may be of one colour. Measured with Chromium 156 at 1280 × 720: white 0.0041 (png,
 * quick encoder), 0.0038 (small), 0.0063 (jpeg), 0.0019 (webp); one line of text in the corner 0.0050, 0.0045, 0.0086,
 * 0.0033; a short article from 0.06.
 */
const suspiciousBytesPerPixel = 0.03;

/** Pixels that are compared; a larger image is reduced to so many. */
const maxCompared = 1_500_000;

/** How far a channel may be from the most frequent colour: what jpeg adds to a flat area. */
const tolerance = 6;

export interface Uniformity {
  /** The share of pixels that have the most frequent colour, 0 to 1. */
  share: number;
  /** Whether that colour is white or transparent. */
  isPaper: boolean;
}

/** Whether an image is so small for its area that it may show nothing. */
export function isSuspicious({ bytes, width, height }: Pick<RenderedFile, 'bytes' | 'width' | 'height'>): boolean {
  return bytes.length / (width * height) < suspiciousBytesPerPixel;
}

/** Decodes an image and compares its pixels; takes 10 ms for a viewport. Null if it cannot be decoded. */
export async function readUniformity(
  file: Pick<RenderedFile, 'bytes' | 'width' | 'height'>,
): Promise<Uniformity | null> {
  const { bytes, width, height } = file;
  const scale = Math.min(1, Math.sqrt(maxCompared / (width * height)));
  const size = { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
  try {
    const image = sharp(bytes, { limitInputPixels: false, sequentialRead: true }).ensureAlpha();
    const reduced = scale < 1 ? image.resize({ ...size, fit: 'fill', kernel: 'nearest' }) : image;
    return uniformityOf(await reduced.raw().toBuffer());
  } catch {
    return null;
  }
}

/** @param pixels RGBA. */
function uniformityOf(pixels: Buffer): Uniformity {
  const counts = new Map<number, number>();
  const count = pixels.length / 4;
  const step = Math.max(1, Math.floor(count / 4_096));
  for (let pixel = 0; pixel < count; pixel += step) {
    const color = pixels.readUInt32LE(pixel * 4);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const [[most] = [0]] = [...counts].sort(([, a], [, b]) => b - a);
  const [r, g, b, a] = [most & 0xff, (most >>> 8) & 0xff, (most >>> 16) & 0xff, most >>> 24];
  let equal = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const isNear =
      Math.abs((pixels[at] ?? 0) - r) <= tolerance &&
      Math.abs((pixels[at + 1] ?? 0) - g) <= tolerance &&
      Math.abs((pixels[at + 2] ?? 0) - b) <= tolerance &&
      Math.abs((pixels[at + 3] ?? 0) - a) <= tolerance;
    if (isNear) equal += 1;
  }
  const isPaper = a <= tolerance || Math.min(r, g, b) >= 255 - tolerance;
  return { share: equal / count, isPaper };
}

/** Whether a PDF has neither text nor images; Chromium writes these objects uncompressed. */
export function isEmptyPdf(bytes: Buffer): boolean {
  return !/\/Type\s*\/Font\b|\/Subtype\s*\/Image\b/.test(bytes.toString('latin1'));
}
