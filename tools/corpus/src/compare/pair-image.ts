import sharp from 'sharp';

/** One side of an image. */
export interface Half {
  label: string;
  /** The background colour of the label. */
  colour: string;
  capture: Buffer;
}

/** The width of a half in pixels. At this width, headlines of a page of 960 pixels are readable. */
const width = 1_440;
const gap = 32;
const halfWidth = (width - gap) / 2;
const labelHeight = 62;
/** The size of a tooth of the jagged edge where a page is cut. */
const tooth = { width: 16, height: 10 };

const inXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const svg = (size: { width: number; height: number }, content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${content}</svg>`);

/** Draws two captures side by side, on a transparent ground, as WebP. @param rows CSS pixels; cut edges are jagged. */
export async function pairImage(halves: readonly [Half, Half], rows: readonly [number, number]): Promise<Buffer> {
  const drawn = await Promise.all(halves.map((half) => drawHalf(half.capture, rows)));
  const height = labelHeight + Math.max(...drawn.map((each) => each.height));
  const parts = halves.flatMap(({ label, colour }, index) => {
    const left = index * (halfWidth + gap);
    return [
      { input: drawLabel(label, colour), left, top: 0 },
      { input: drawn[index]?.data ?? Buffer.alloc(0), left, top: labelHeight },
    ];
  });
  const create = { width, height, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } };
  return sharp({ create }).composite(parts).webp({ quality: 66, alphaQuality: 60, effort: 6 }).toBuffer();
}

async function drawHalf(capture: Buffer, [from, to]: readonly [number, number]) {
  const size = await sharp(capture, { limitInputPixels: false }).metadata();
  const end = Math.min(to, size.height);
  const top = Math.min(from, end - 1);
  // In a single step, sharp would resize before it cuts.
  const rows = await sharp(capture, { limitInputPixels: false })
    .extract({ left: 0, top, width: size.width, height: end - top })
    .png()
    .toBuffer();
  const { data, info } = await sharp(rows)
    .resize({ width: halfWidth })
    .ensureAlpha()
    .png()
    .toBuffer({ resolveWithObject: true });
  const outline = drawOutline(info.height, { top: top > 0, bottom: end < size.height });
  const box = { width: halfWidth, height: info.height };
  const framed = await sharp(data)
    .composite([
      { input: svg(box, `<path d="${outline}" fill="none" stroke="#8b949e" stroke-width="3"/>`) },
      { input: svg(box, `<path d="${outline}" fill="#fff"/>`), blend: 'dest-in' },
    ])
    .png()
    .toBuffer();
  return { data: framed, height: info.height };
}

/** Draws the edge of a half. @param cut the sides on which the page goes on. */
function drawOutline(height: number, cut: { top: boolean; bottom: boolean }): string {
  const edge = (isCut: boolean, y: number, depth: number) =>
    isCut
      ? Array.from({ length: (2 * halfWidth) / tooth.width + 1 }, (_, at) => [
          (at * tooth.width) / 2,
          at % 2 === 1 ? y + depth : y,
        ])
      : [
          [0, y],
          [halfWidth, y],
        ];
  const points = [...edge(cut.top, 0, tooth.height), ...edge(cut.bottom, height, -tooth.height).reverse()];
  return `M${points.map((point) => point.join(' ')).join('L')}Z`;
}

/** Draws a label that is readable on light and dark pages. */
function drawLabel(text: string, colour: string): Buffer {
  return svg(
    { width: halfWidth, height: labelHeight },
    `<rect y="2" width="100%" height="${labelHeight - 14}" rx="8" fill="${colour}"/><text x="18" y="37" font-family="Noto Sans, DejaVu Sans, sans-serif" font-size="28" font-weight="600" fill="#fff">${inXml(text)}</text>`,
  );
}
