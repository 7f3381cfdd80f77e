/** The height of the full page, CSS pixels. */
export const longHeight = 20_749;
export const lazyImages = 40;

const imageHeight = 400;
const imageWidth = 640;
const firstTop = 120;
const step = (longHeight - firstTop) / lazyImages;

/** Returns the center of a lazy image in a full-page screenshot. */
export function centerOf(index: number): { x: number; y: number } {
  return { x: 80 + imageWidth / 2, y: Math.round(topOf(index)) + imageHeight / 2 };
}

const topOf = (index: number) => Math.floor(firstTop + index * step);

/** Returns the color of an image, unique on the page. */
export function colourOf(index: number): { r: number; g: number; b: number } {
  return { r: 40 + ((index * 53) % 200), g: 40 + ((index * 97) % 200), b: 40 + ((index * 151) % 200) };
}

/** Returns a page of images that load when they are scrolled into view, or by the screenshot tool, and are white before. */
export function longPage(): string {
  const images = Array.from(
    { length: lazyImages },
    (_, index) =>
      `<img loading="lazy" src="/long/${index}.png" width="${imageWidth}" height="${imageHeight}" style="position:absolute;left:80px;top:${topOf(index)}px">`,
  );
  return `<div style="position:relative;height:${longHeight}px"><h1 style="margin:0;padding:24px">A long page</h1>${images.join('\n')}</div>`;
}
