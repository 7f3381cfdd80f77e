import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { readUniformity } from './uniform-image.ts';

const white = '#ffffff';

/** Makes an image of one colour with rectangles, as `[top, height, colour]`, over its whole width. */
async function image(
  height: number,
  rectangles: [number, number, string][] = [],
  { background = white, format = 'png' as 'png' | 'jpeg' | 'webp' } = {},
) {
  const width = 1_000;
  const drawn = rectangles.map(([top, rows, color]) => ({
    input: { create: { width, height: rows, channels: 3 as const, background: color } },
    ...{ left: 0, top },
  }));
  const create = { width, height, channels: 3 as const, background };
  return { bytes: await sharp({ create }).composite(drawn).toFormat(format).toBuffer(), format, width, height };
}

const least = 0.999;

describe.each([
  ['a viewport', 700],
  ['a long page', 20_000],
])('%s', (_, height) => {
  it('is uniform in one colour, white or not', async () => {
    expect(await readUniformity(await image(height), least)).toEqual({ share: 1, isPaper: true });
    expect(await readUniformity(await image(height, [], { background: '#336699' }), least)).toEqual({
      share: 1,
      isPaper: false,
    });
  });

  it.each([
    ['beginning', 0],
    ['end', height - 50],
  ])('is not uniform if its %s shows something', async (_, top) => {
    const { share } = (await readUniformity(await image(height, [[top, 50, '#000000']]), least)) ?? { share: 1 };
    expect(share).toBeLessThan(least);
  });

  it('is uniform if what it shows is less than the share asked for', async () => {
    const { share } = (await readUniformity(await image(height, [[0, Math.ceil(height / 200), '#000000']]), 0.99)) ?? {
      share: 0,
    };
    expect(share).toBeGreaterThan(0.99);
  });
});

describe('a long page', () => {
  const height = 20_000;

  it.each(['png', 'jpeg', 'webp'] as const)(
    'shows something at its top as %s, up to the limits of the format',
    async (format) => {
      const page = await image(format === 'webp' ? 16_000 : height, [[100, 200, '#000000']], { format });
      expect((await readUniformity(page, least))?.share).toBeLessThan(least);
    },
  );

  it('is not uniform if its top is of another colour', async () => {
    const { share } = (await readUniformity(await image(height, [[0, 4_000, '#222222']]), least)) ?? { share: 1 };
    expect(share).toBeLessThan(least);
  });

  it('is uniform if its top only varies as much as jpeg adds to a flat area', async () => {
    const levels: [number, number, string][] = [...'456789abcdef'].map((digit, index) => [
      index * 100,
      100,
      `#f${digit}f${digit}f${digit}`,
    ]);
    const page = await image(height, levels, { background: '#f9f9f9' });
    expect((await readUniformity(page, least))?.share).toBe(1);
  });
});

it('is null for bytes that are no image', async () => {
  expect(await readUniformity({ format: 'png', bytes: Buffer.from('none'), width: 10, height: 10 }, least)).toBeNull();
});
