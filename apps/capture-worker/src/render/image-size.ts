export interface ImageSize {
  width: number;
  height: number;
}

export type ImageFormat = 'png' | 'jpeg' | 'webp';

/**
 * Reads a picture's size, in pixels, from its own header: what a record says of a file is what the file says.
 *
 * @throws {Error} when the bytes are no such picture.
 */
export function readImageSize(bytes: Buffer, format: ImageFormat): ImageSize {
  const size = { png: pngSize, jpeg: jpegSize, webp: webpSize }[format](bytes);
  if (!size || size.width < 1 || size.height < 1) throw new Error(`the browser gave no ${format}`);
  return size;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** The first chunk of a PNG is its header: length, `IHDR`, width, height. */
function pngSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(pngSignature) || !hasText(bytes, 12, 'IHDR')) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** A JPEG is a row of segments (`FF`, marker, length); the frame's (`C0`–`CF`, but three) has the size. */
function jpegSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

/** A WebP is a RIFF file; its first chunk is of one of three kinds, each with the size in a place of its own. */
function webpSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 30 || !hasText(bytes, 0, 'RIFF') || !hasText(bytes, 8, 'WEBP')) return null;
  if (hasText(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (hasText(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (hasText(bytes, 12, 'VP8 ')) {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  return null;
}

function hasText(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}
