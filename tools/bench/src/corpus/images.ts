import { randomNumbers } from '@capture/testing/random';
import sharp from 'sharp';

/** What the screenshots measure, in pixels; pages show them so large. */
export const pngSize = { width: 320, height: 340 };
export const jpegSize = { width: 560, height: 420 };

/** Soft colours under noise, as a photograph has them: what neither encoder makes small. */
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

/** A PNG of some 250 kB. */
export function noisyPng(seed: number): Promise<Buffer> {
  const raw = { ...pngSize, channels: 3 as const };
  return sharp(noise(seed, pngSize.width, pngSize.height, 28), { raw })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** A JPEG of some 110 kB. */
export function noisyJpeg(seed: number): Promise<Buffer> {
  const raw = { ...jpegSize, channels: 3 as const };
  return sharp(noise(seed, jpegSize.width, jpegSize.height, 52), { raw })
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** A PNG of one colour, known again in a screenshot of the page it is on. */
export function plainPng(background: { r: number; g: number; b: number }): Promise<Buffer> {
  return sharp({ create: { width: 640, height: 400, channels: 3, background } })
    .png()
    .toBuffer();
}
