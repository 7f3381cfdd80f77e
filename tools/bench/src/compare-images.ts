import sharp from 'sharp';

/** The side of a cell in pixels. Images are compared in cells, so that differently hinted glyphs are equal. */
const cell = 16;

/** How far the colours of two cells may differ, of 255. */
const tolerance = 24;

/** The share of cells that may differ. If more differ, the page lacks something. */
const differingAtMost = 0.02;

/**
 * Compares a screenshot with the reference.
 *
 * @returns null if both show the same, else the difference in a few words.
 */
export async function compareImages(screenshot: Buffer, reference: Buffer): Promise<string | null> {
  const [one, other] = await Promise.all([cells(screenshot), cells(reference)]);
  if (one.size !== other.size) return `it is ${one.size}, not ${other.size}`;
  let differing = 0;
  for (let at = 0; at < other.data.length; at += 3) {
    const apart = [0, 1, 2].map((channel) => Math.abs((one.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)));
    if (Math.max(...apart) > tolerance) differing += 1;
  }
  const share = differing / (other.data.length / 3);
  return share <= differingAtMost ? null : `${(share * 100).toFixed(1)} % of it differ`;
}

async function cells(screenshot: Buffer): Promise<{ size: string; data: Buffer }> {
  const image = sharp(screenshot);
  const { width = 0, height = 0 } = await image.metadata();
  const size = { width: Math.ceil(width / cell), height: Math.ceil(height / cell) };
  const data = await image
    .flatten({ background: '#fff' })
    .removeAlpha()
    .toColourspace('srgb')
    .resize({ ...size, fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  return { size: `${width}×${height}`, data };
}

/**
 * Returns the colours at some places of a screenshot; null for places below its end.
 *
 * @throws {Error} if the screenshot is not `width` pixels wide, and so not the requested one.
 */
export async function coloursAt(
  screenshot: Buffer,
  places: readonly { x: number; y: number }[],
  width: number,
): Promise<({ r: number; g: number; b: number } | null)[]> {
  const { data, info } = await sharp(screenshot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  if (info.width !== width) throw new Error(`the screenshot is ${info.width} px wide, not ${width}`);
  return places.map(({ x, y }) => {
    if (x >= info.width || y >= info.height) return null;
    const at = (y * info.width + x) * info.channels;
    return { r: data[at] ?? 0, g: data[at + 1] ?? 0, b: data[at + 2] ?? 0 };
  });
}

/** Whether a colour is the expected colour, as nearly as an encoder keeps it. */
export function isColour(
  seen: { r: number; g: number; b: number } | null,
  wanted: { r: number; g: number; b: number },
): boolean {
  return seen !== null && (['r', 'g', 'b'] as const).every((channel) => Math.abs(seen[channel] - wanted[channel]) <= 8);
}
