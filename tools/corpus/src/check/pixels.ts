import sharp from 'sharp';
import type { Area, Colour } from '../case.ts';

/** An opaque image, three bytes a pixel. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** How far a channel may be from the marker's, of 255. */
const tolerance = 8;

/** Fewer pixels than this in a row of the image are not a block: a smoothed edge, or a letter. */
const narrowestBlock = 8;

/** Fewer rows than this are not a block. */
const flattestBlock = 4;

/** @throws {Error} if the bytes are no image. */
export async function readPixels(bytes: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(bytes, { limitInputPixels: false })
    .flatten({ background: '#fff' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

function parseColour(colour: Colour): [number, number, number] {
  const number = Number.parseInt(colour.slice(1), 16);
  if (!/^#[\da-f]{6}$/i.test(colour)) throw new Error(`${colour} is not a colour: #rrggbb`);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/**
 * Returns a function that says whether the pixel that begins at a byte has the colour. The function runs for millions of
 * pixels, and in Jest a global such as `Math` takes a hundred times as long as a local name.
 */
function matcher({ data }: Pixels, colour: Colour): (at: number) => boolean {
  const allowed = tolerance;
  const [red, green, blue] = parseColour(colour);
  const near = (value: number | undefined, wanted: number) =>
    value !== undefined && value - wanted <= allowed && wanted - value <= allowed;
  return (at) => near(data[at], red) && near(data[at + 1], green) && near(data[at + 2], blue);
}

/** Returns the colour of a pixel; null outside of the image. Negative coordinates count from the right and the bottom. */
export function colourAt({ width, height, data }: Pixels, left: number, top: number): Colour | null {
  const x = left < 0 ? width + left : left;
  const y = top < 0 ? height + top : top;
  if (x < 0 || y < 0 || x >= width || y >= height) return null;
  const at = (Math.trunc(y) * width + Math.trunc(x)) * 3;
  return `#${Buffer.from(data.subarray(at, at + 3)).toString('hex')}`;
}

/** Whether two colours are the same as far as a lossy format keeps them. */
export function isNear(one: Colour, other: Colour): boolean {
  const there = parseColour(other);
  return parseColour(one).every((channel, index) => Math.abs(channel - (there[index] ?? 0)) <= tolerance);
}

/** Counts the pixels of an area that have the colour, and all pixels of the area. Parts outside of the image have none. */
export function countIn(image: Pixels, colour: Colour, area?: Area): { found: number; size: number } {
  const [left, top, width, height] = area ?? [0, 0, image.width, image.height];
  const x0 = left < 0 ? image.width + left : left;
  const y0 = top < 0 ? image.height + top : top;
  const matches = matcher(image, colour);
  const [fromX, toX] = [Math.max(0, x0), Math.min(image.width, x0 + width)];
  const [fromY, toY] = [Math.max(0, y0), Math.min(image.height, y0 + height)];
  let found = 0;
  for (let y = fromY; y < toY; y += 1) {
    for (let x = fromX; x < toX; x += 1) {
      if (matches((y * image.width + x) * 3)) found += 1;
    }
  }
  return { found, size: width * height };
}

/** Counts the blocks of the colour that lie below each other. */
export function countBlocks(image: Pixels, colour: Colour): number {
  const matches = matcher(image, colour);
  let blocks = 0;
  let rows = 0;
  for (let y = 0; y < image.height; y += 1) {
    let found = 0;
    for (let x = 0; x < image.width && found < narrowestBlock; x += 1) {
      if (matches((y * image.width + x) * 3)) found += 1;
    }
    rows = found >= narrowestBlock ? rows + 1 : 0;
    if (rows === flattestBlock) blocks += 1;
  }
  return blocks;
}
