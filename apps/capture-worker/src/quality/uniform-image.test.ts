import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { readUniformity } from './uniform-image.ts';

const white = '#ffffff';

/** A png of one colour with rectangles, as `[top, height, colour]`, over its whole width. */
async function image(height: number, rectangles: [number, number, string][] = [], background = white) {
  const width = 1_000;
  const drawn = rectangles.map(([top, rows, color]) => ({
    input: { create: { width, height: rows, channels: 3 as const, background: color } },
    ...{ left: 0, top },
  }));
  const create = { width, height, channels: 3 as const, background };
  return { bytes: await sharp({ create }).composite(drawn).png().toBuffer(), width, height };
}

const least = 0.999;

describe.each([
  ['a viewport', 700],
  ['a long page', 20_000],
])('%s', (_, height) => {
  it('is uniform in one colour, white or not', async () => {
    expect(await readUniformity(await image(height), least)).toEqual({ share: 1, isPaper: true });
    expect(await readUniformity(await image(height, [], '#336699'), least)).toEqual({ share: 1, isPaper: false });
  });

  it.each([
    ['beginning', 0],
    ['end', height - 50],
  ])('is not uniform if its %s shows something', async (_, top) => {
    const { share } = (await readUniformity(await image(height, [[top, 50, '#000000']]), least)) ?? { share: 1 };
    expect(share).toBeLessThan(least);
  });

  it('is uniform if what it shows is less than the share asked for', async () => {
    const { share } = (await readUniformity(
      await image(height, [[0, Math.ceil(height / 2_000), '#000000']]),
      0.99,
    )) ?? {
      share: 0,
    };
    expect(share).toBeGreaterThan(0.99);
  });
});

it('is null for what is no image', async () => {
  expect(await readUniformity({ bytes: Buffer.from('none'), width: 10, height: 10 }, least)).toBeNull();
});
