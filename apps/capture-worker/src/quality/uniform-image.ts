import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ImageFormat } from '../render/image-size.ts';
import type { RenderedFile } from '../render/renderer.ts';

/**
 * Bytes per pixel below which an image may be of one colour. Measured with Chromium 156 at 1280 × 720, white or coloured: 0.018
 * (png), 0.0067 (jpeg), 0.0024 (webp); with one line of text a few per cent more; an article has over 0.1.
 */
const suspiciousBytesPerPixel: Readonly<Record<ImageFormat, number>> = { png: 0.03, jpeg: 0.015, webp: 0.008 };

export const isImage = (format: RenderedFile['format']): format is ImageFormat => format in suspiciousBytesPerPixel;

/** The maximum number of compared pixels. A larger image is reduced. */
const maxCompared = 1_500_000;

/** Larger images are not searched in full for a word. */
const maxRead = 30_000_000;

/** How far a channel may be from the most frequent colour, because jpeg varies flat areas. */
const tolerance = 6;

export interface Uniformity {
  /** The share of pixels that have the most frequent colour, 0 to 1. A share below `least` may be imprecise. */
  share: number;
  /** Whether the most frequent colour is white or transparent. */
  isPaper: boolean;
}

/** Whether an image is so small for its area that it may show nothing. */
export function isSuspicious({ format, bytes, width, height }: RenderedFile): boolean {
  return isImage(format) && bytes.length / (width * height) < suspiciousBytesPerPixel[format];
}

/**
 * Decodes an image in 5 ms for a viewport, and compares its pixels in 7 ms for an empty image, else in hardly any time. The top
 * of a larger image comes first: if the top shows enough, the rest is not decoded.
 *
 * @param least the share below which the exact share does not matter.
 * @returns null if the image cannot be decoded.
 */
export async function readUniformity(
  file: Pick<RenderedFile, 'format' | 'bytes' | 'width' | 'height'>,
  least: number,
): Promise<Uniformity | null> {
  const { format, bytes, width, height } = file;
  const scale = Math.min(1, Math.sqrt(maxCompared / (width * height)));
  const size = { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
  try {
    const open = () => sharp(bytes, { limitInputPixels: false, sequentialRead: true }).ensureAlpha();
    if (scale === 1) return measureUniformity(await open().raw().toBuffer(), least);
    const rows = Math.floor(maxCompared / width);
    // A webp is decoded as a whole, and in full size unless it is reduced.
    if (rows > 0 && format !== 'webp') {
      const top = await open().extract({ left: 0, top: 0, width, height: rows }).raw().toBuffer();
      // The most frequent colour of the top may differ from that of the image by the tolerance.
      const ofTop = measureUniformity(top, least, { count: width * height, within: 2 * tolerance });
      if (ofTop.share < least) return ofTop;
    }
    const reduced = open().resize({ ...size, fit: 'fill', kernel: 'nearest' });
    return measureUniformity(await reduced.raw().toBuffer(), least);
  } catch {
    return null;
  }
}

/** Whether an image that was reduced for the comparison has different pixels, or may have; false for other images. */
export async function hasContrast({
  bytes,
  width,
  height,
}: Pick<RenderedFile, 'bytes' | 'width' | 'height'>): Promise<boolean> {
  if (width * height <= maxCompared) return false;
  // Reading all pixels takes a second for each 30 million.
  if (width * height > maxRead) return true;
  try {
    const { channels } = await sharp(bytes, { limitInputPixels: false, sequentialRead: true }).stats();
    return channels.some(({ min, max }) => max - min > tolerance * 2);
  } catch {
    return false;
  }
}

/**
 * @param bytes RGBA.
 * @param options.count the pixels of the complete image, if `bytes` is a part: the others count as having the most frequent
 * colour.
 * @param options.within how far a channel may be from the most frequent colour.
 */
function measureUniformity(
  bytes: Buffer,
  least: number,
  { count = bytes.length >> 2, within = tolerance }: { count?: number; within?: number } = {},
): Uniformity {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
  const pixels = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  const counts = new Map<number, number>();
  const step = Math.max(1, Math.floor(pixels.length / 4_096));
  for (let at = 0; at < pixels.length; at += step) {
    const color = pixels[at] as number;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const [[most] = [0]] = [...counts].sort(([, a], [, b]) => b - a);
  const isNear = (color: number) =>
    [0, 8, 16, 24].every((shift) => Math.abs(((color >>> shift) & 0xff) - ((most >>> shift) & 0xff)) <= within);
  // Each colour is compared once. The comparison soon ends for an image that shows something.
  const near = new Map<number, boolean>([[most, true]]);
  // The share of 13 of 1.3 million is the limit, but floating point yields a little less, so round up.
  const enough = Math.ceil(count * (1 - least));
  let others = 0;
  for (const color of pixels) {
    if (color === most) continue;
    let isClose = near.get(color);
    if (isClose === undefined) {
      isClose = isNear(color);
      near.set(color, isClose);
    }
    if (!isClose) others += 1;
    if (others > enough) break;
  }
  const [r, g, b, a] = [most & 0xff, (most >>> 8) & 0xff, (most >>> 16) & 0xff, most >>> 24];
  const isPaper = a <= tolerance || Math.min(r, g, b) >= 255 - tolerance;
  return { share: 1 - others / count, isPaper };
}

/** Whether a PDF has neither text nor images; Chromium writes these objects uncompressed. */
export function isEmptyPdf(bytes: Buffer): boolean {
  return !/\/Type\s*\/Font\b|\/Subtype\s*\/Image\b/.test(bytes.toString('latin1'));
}

/** A larger PDF draws something on white paper. An empty chart has fewer bytes. */
const barePdfBytes = 20_000;

/** Uncompressed instructions of more bytes draw something, too. */
const maxDrawing = 1_000_000;

/** Whether a PDF without text and images has lines or areas that are not white. */
export function isPaintedPdf(bytes: Buffer): boolean {
  if (bytes.length > barePdfBytes) return true;
  const text = bytes.toString('latin1');
  return [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].some(([, data = '']) => paints(data));
}

function paints(data: string): boolean {
  let drawing: string;
  try {
    drawing = inflateSync(Buffer.from(data, 'latin1'), { maxOutputLength: maxDrawing }).toString('latin1');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
  }
  let isWhite = false;
  // The pattern matches the next fill colour, a pattern (a gradient), or an operator that paints at the end of a line.
  const parts = /([\d. ]+) (?:rg|g)\b|(?:^|\s)(scn|f\*?|[SsBb]\*?|sh)(?=\s|$)/g;
  for (const [, color, operator] of drawing.matchAll(parts)) {
    if (color !== undefined)
      isWhite = color
        .trim()
        .split(/\s+/)
        .every((part) => Number(part) === 1);
    else if (operator === 'scn') isWhite = false;
    else if (!isWhite || !operator?.startsWith('f')) return true;
  }
  return false;
}
