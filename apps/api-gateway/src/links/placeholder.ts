import { crc32, deflateSync } from 'node:zlib';

/** The largest viewport is 7,680 × 4,320 at a density of 4, but no placeholder needs as many pixels. */
const longestEdge = 4_096;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Returns a one-color PNG of the size of the image that it replaces, so that a page keeps its layout.
 *
 * @param color `transparent`, or six hexadecimal digits.
 */
export function placeholderImage(color: string, size: { width: number; height: number }): Buffer {
  const scale = Math.min(1, longestEdge / Math.max(size.width, size.height));
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // The image has one bit a pixel, which selects from a palette of one color.
  header.set([1, 3, 0, 0, 0], 8);
  const isTransparent = color === 'transparent';
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(isTransparent ? '000000' : color, 'hex')),
    ...(isTransparent ? [chunk('tRNS', Buffer.from([0]))] : []),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
