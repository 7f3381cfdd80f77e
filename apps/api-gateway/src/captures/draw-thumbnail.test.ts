import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { drawThumbnail } from './draw-thumbnail.ts';

const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer();

it.each([
  ['a viewport', [1280, 720], [480, 270]],
  ['the top of a full page', [1280, 9_000], [480, 300]],
  ['an OG image', [1200, 630], [480, 252]],
  ['a small image, without enlarging it', [200, 400], [200, 125]],
  ['one row', [3_000, 1], [480, 1]],
] as const)('shows %s in its whole width', async (_what, [width, height], expected) => {
  const thumbnail = await sharp(await drawThumbnail(await image(width, height))).metadata();
  expect([thumbnail.format, thumbnail.width, thumbnail.height]).toEqual(['webp', ...expected]);
});
