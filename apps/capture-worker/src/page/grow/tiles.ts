/// <reference lib="dom" />
import type { Backdrop } from './frozen.ts';

/** See `tiles`. */
export type Tiles = ReturnType<typeof tiles>;

/** Repeats the images of a background down the page, each as large as in the visitor's window. Part of `placeElements`. */
export function tiles() {
  return { tilesOf };

  /**
   * The styles of a box as tall as the page; null if nothing of its background depends on its height.
   *
   * @param box the size that it has in the visitor's window, CSS pixels.
   * @param ratios of images, by their URL: width as a multiple of height.
   */
  function tilesOf(
    backdrop: Backdrop,
    box: { width: number; height: number },
    ratios: Map<string, number>,
  ): Record<string, string> | null {
    // Gradients alone are as tall as the page: joints would show.
    if (!backdrop.image.includes('url(')) return null;
    const [images, sizes, positions, repeats] = [backdrop.image, backdrop.size, backdrop.position, backdrop.repeat].map(
      partsOf,
    ) as [string[], string[], string[], string[]];
    let areTiled = false;
    const layers = images.map((image, index) => {
      const [size, position, repeat] = [sizes, positions, repeats].map((all) => all[index % all.length] ?? '') as [
        string,
        string,
        string,
      ];
      const tile = tileOf(image, size, box, ratios);
      if (!tile) return { size, position, repeat };
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

  /** The size of an image that fills its box; null if it has a size of its own, as a pattern does. */
  function tileOf(
    image: string,
    size: string,
    { width, height }: { width: number; height: number },
    ratios: Map<string, number>,
  ): { width: number; height: number } | null {
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
    // As wide as the window, and tall enough for it.
    return /^100%(?: auto)?$/.test(size) && width / ratio >= height * 0.95 ? { width, height: width / ratio } : null;
  }

  /** The parts of a list: commas in brackets and strings are of one part. URLs may have millions of characters. */
  function partsOf(list: string): string[] {
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
}
