import { randomNumbers } from '@capture/testing/random';
import sharp from 'sharp';

/** The size of the images in pixels, which is also their size on a page. */
export const pngSize = { width: 320, height: 340 };
export const jpegSize = { width: 560, height: 420 };

/** Makes soft colours under noise, as in a photograph, which no encoder makes small. */
function noise(seed: number, width: number, height: number, depth: number): Buffer {
  const random = randomNumbers(seed);
  const [red, green, blue] = [random() * 160, random() * 160, random() * 160];
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const slope = (at / pixels.length) * 64;
    pixels[at] = red + slope + random() * depth;
    pixels[at + 1] = green + slope + random() * depth;
    pixels[at + 2] = blue + random() * depth;
  }
  return pixels;
}

/** Makes a PNG of some 250 kB. */
export function noisyPng(seed: number): Promise<Buffer> {
  const raw = { ...pngSize, channels: 3 as const };
  return sharp(noise(seed, pngSize.width, pngSize.height, 28), { raw })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** Makes a JPEG of some 110 kB. */
export function noisyJpeg(seed: number): Promise<Buffer> {
  const raw = { ...jpegSize, channels: 3 as const };
  return sharp(noise(seed, jpegSize.width, jpegSize.height, 52), { raw })
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Makes a PNG of one colour, which a test finds again in a screenshot of the page. */
export function plainPng(background: { r: number; g: number; b: number }): Promise<Buffer> {
  return sharp({ create: { width: 640, height: 400, channels: 3, background } })
    .png()
    .toBuffer();
}
