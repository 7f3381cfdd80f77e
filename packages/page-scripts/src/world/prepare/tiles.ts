import type { Backdrop } from '../state/tall-page.ts';

/** A size in CSS pixels. */
interface Size {
  width: number;
  height: number;
}

/**
 * Returns the styles that repeat the images of a background down the page, each as large as in the visitor's window; null if no
 * part of the background depends on its height.
 *
 * @param box the size of the background in the visitor's window.
 * @param ratios of images, by their URL: width as a multiple of height.
 */
export function tilesOf(backdrop: Backdrop, box: Size, ratios: Map<string, number>): Record<string, string> | null {
  // Gradients without an image stay as tall as the page: joints would show.
  if (!backdrop.image.includes('url(')) return null;
  const [sizes, positions, repeats] = [partsOf(backdrop.size), partsOf(backdrop.position), partsOf(backdrop.repeat)];
  const partAt = (all: string[], index: number) => all[index % all.length] ?? '';
  let areTiled = false;
  const layers = partsOf(backdrop.image).map((image, index) => {
    const size = partAt(sizes, index);
    const position = partAt(positions, index);
    const tile = tileOf(image, size, box, ratios);
    if (!tile) return { size, position, repeat: partAt(repeats, index) };
    areTiled = true;
    const [x = '50%'] = position.split(' ');
    return { size: `${tile.width}px ${tile.height}px`, position: `${x} 0px`, repeat: 'repeat-y' };
  });
  if (!areTiled) return null;
  return {
    'background-attachment': 'scroll',
    'background-size': layers.map(({ size }) => size).join(', '),
    'background-position': layers.map(({ position }) => position).join(', '),
    'background-repeat': layers.map(({ repeat }) => repeat).join(', '),
  };
}

/** Returns the size of an image that fills its box; null if the styles set a size, as they do for a pattern. */
function tileOf(image: string, size: string, { width, height }: Size, ratios: Map<string, number>): Size | null {
  if (size === '100% 100%') return { width, height };
  const [, url] = /^url\("([^"]*)"\)$/.exec(image) ?? [];
  if (url === undefined) {
    return /gradient\(/.test(image) && /^(?:auto|cover|contain|100%)$/.test(size) ? { width, height } : null;
  }
  const ratio = ratios.get(url) ?? 0;
  if (ratio === 0) return null;
  if (size === 'cover' || size === 'contain') {
    const fitted = size === 'cover' ? Math.max(width, height * ratio) : Math.min(width, height * ratio);
    return { width: fitted, height: fitted / ratio };
  }
  // The image is as wide as the window, and tall enough for it.
  return /^100%(?: auto)?$/.test(size) && width / ratio >= height * 0.95 ? { width, height: width / ratio } : null;
}

/** Splits a list into its parts: commas in brackets and strings do not end a part. URLs may have millions of characters. */
export function partsOf(list: string): string[] {
  const parts: string[] = [];
  let [start, depth, isString] = [0, 0, false];
  for (let index = 0; index < list.length; index += 1) {
    const character = list[index];
    if (character === '\\') index += 1;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(list.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, list.slice(start).trim()];
}
