import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { type ImageFormat, readImageSize } from './image-size.ts';

const image = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 100, b: 50, alpha: 0.5 } } });

describe('readImageSize', () => {
  it.each([
    [1, 1],
    [1281, 721],
    [7, 16_383],
  ])('reads a size of %i × %i from every format', async (width, height) => {
    const size = { width, height };
    expect(await readImageSize(await image(width, height).png().toBuffer(), 'png')).toEqual(size);
    expect(await readImageSize(await image(width, height).jpeg().toBuffer(), 'jpeg')).toEqual(size);
    expect(await readImageSize(await image(width, height).jpeg({ progressive: true }).toBuffer(), 'jpeg')).toEqual(
      size,
    );
    expect(await readImageSize(await image(width, height).webp().toBuffer(), 'webp')).toEqual(size);
    expect(await readImageSize(await image(width, height).webp({ lossless: true }).toBuffer(), 'webp')).toEqual(size);
    expect(await readImageSize(await image(width, height, 4).webp().toBuffer(), 'webp')).toEqual(size);
  });

  it('rejects truncated images and images of another format', async () => {
    const images: [ImageFormat, Buffer][] = [
      ['png', await image(9, 9).png().toBuffer()],
      ['jpeg', await image(9, 9).jpeg().toBuffer()],
      ['webp', await image(9, 9).webp().toBuffer()],
    ];
    for (const [format, bytes] of images) {
      for (let length = 0; length < 20; length += 1) {
        await expect(readImageSize(bytes.subarray(0, length), format)).rejects.toThrow(`no ${format}`);
      }
      for (const [other] of images) {
        if (other !== format) await expect(readImageSize(bytes, other)).rejects.toThrow(`no ${other}`);
      }
    }
  });
});
