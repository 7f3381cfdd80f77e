import sharp from 'sharp';

/** The longest edge that models take, pixels. Some shrink images above 1.15 megapixels, and still read their text. */
const longestEdge = 1_568;

/** Parts of a capture's main image that a response shows: each costs a model about 2,000 tokens. */
const partsOfOwn = 5;

/** The largest image that is loaded for a result, bytes; the result has only the link of a larger image. */
export const largestShown = 32 * 1024 * 1024;

/** The largest image that the service makes, pixels. */
const largestImage = 100_000_000;

interface ImageParts {
  /** WebP images, from the top of the page down. */
  parts: Buffer[];
  width: number;
  height: number;
  /** How far down the parts reach, pixels of the image. */
  shownHeight: number;
}

/**
 * Cuts an image into parts of a size that models take: a model cannot read a full page that is shrunk to one image.
 *
 * @param bytes a PNG is decoded row by row, so that a large image needs little memory.
 */
export async function imageParts(bytes: Buffer, mostParts = partsOfOwn): Promise<ImageParts> {
  const open = () => sharp(bytes, { limitInputPixels: largestImage, sequentialRead: true });
  const { width, height } = await open().metadata();
  const scale = Math.min(1, longestEdge / width);
  const partHeight = Math.floor(longestEdge / scale);
  const parts: Buffer[] = [];
  for (let top = 0; top < height && parts.length < mostParts; top += partHeight) {
    const area = { left: 0, top, width, height: Math.min(partHeight, height - top) };
    const part = open()
      .extract(area)
      .resize({ width: Math.round(width * scale) });
    parts.push(await part.webp({ quality: 80, effort: 2 }).toBuffer());
  }
  return { parts, width, height, shownHeight: Math.min(height, mostParts * partHeight) };
}
