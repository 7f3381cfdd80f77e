/// <reference lib="dom" />
import type { Look } from './look.ts';
import type { PageRoots } from './page-roots.ts';
import type { Visibility } from './visibility.ts';

/** See `shownContent`. */
export type ShownContent = ReturnType<typeof shownContent>;

/** Finds out how much there is to see. Part of `look`. */
export function shownContent({
  page: { roots, all },
  visible: { inView, isSeen, opacityOf },
}: {
  page: PageRoots;
  visible: Visibility;
}) {
  return { isBlank, isCovered, readContent };

  /** Ends at the first text or image that can be seen. */
  function isBlank(): boolean {
    const graphics = all('img, svg, canvas, video, iframe, object, embed, input, button, textarea');
    if (graphics.some((element) => element.clientWidth * element.clientHeight > 100 && isSeen(element))) return false;
    for (const root of roots()) {
      const walker = document.createTreeWalker(
        root instanceof Document ? (root.body ?? root) : root,
        NodeFilter.SHOW_TEXT,
      );
      for (let node = walker.nextNode(), seen = 0; node && seen < 5_000; node = walker.nextNode(), seen += 1) {
        const parent = node.parentElement;
        if (
          node.textContent?.trim() &&
          parent &&
          !parent.matches('script, style, noscript, template') &&
          isSeen(parent)
        ) {
          return false;
        }
      }
    }
    return true;
  }

  /** The topmost box at five points is the same one, fixed or absolute, as large as the viewport, and nearly empty. */
  function isCovered(): boolean {
    const { innerWidth: width, innerHeight: height } = window;
    const points = [
      [0.5, 0.5],
      [0.08, 0.08],
      [0.92, 0.08],
      [0.08, 0.92],
      [0.92, 0.92],
    ] as const;
    const boxAt = ([x, y]: readonly [number, number]) => {
      for (let element = document.elementFromPoint(x * width, y * height); element; element = element.parentElement) {
        const { position, backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
        if (position !== 'fixed' && position !== 'absolute') continue;
        const rect = element.getBoundingClientRect();
        if (rect.width < width * 0.95 || rect.height < height * 0.95) continue;
        const isTransparent =
          /rgba\(.*, 0(\.[0-4]\d*)?\)|transparent/.test(backgroundColor) && backgroundImage === 'none';
        return isTransparent || Number(opacity) < 0.3 ? null : element;
      }
      return null;
    };
    const box = boxAt(points[0]);
    if (!box || points.some((point) => boxAt(point) !== box)) return false;
    const text = (box as HTMLElement).textContent ?? '';
    // A screen with text or images of its own is the content.
    return text.trim().length < 60 && box.querySelectorAll('img, image, video, input, button, a[href]').length < 3;
  }

  function readContent(): Look['impression'] {
    const { innerWidth: width, innerHeight: height } = window;
    let bottom = 0;
    let characters = 0;
    const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let seen = 0; seen < 3_000; seen += 1) {
      const node = walker.nextNode();
      if (!node) break;
      if (!node.textContent?.trim() || !node.parentElement || !isSeen(node.parentElement)) continue;
      range.selectNodeContents(node);
      const rect = range.getBoundingClientRect();
      if (rect.width === 0 || rect.top >= height || rect.bottom <= 0) continue;
      characters += node.textContent.trim().length;
      bottom = Math.max(bottom, Math.min(height, rect.bottom));
    }
    for (const element of all('img, svg, canvas, video, image, iframe, object, embed').slice(0, 500)) {
      const rect = element.getBoundingClientRect();
      if (rect.width * rect.height > 2_000 && inView(element, rect) && opacityOf(element) >= 0.05) {
        bottom = Math.max(bottom, Math.min(height, rect.bottom));
        characters += 50;
      }
    }
    // Nothing at all is no finished page.
    if (characters === 0) return 'loading';
    if (bottom < height * 0.4 || characters < 100) return 'thin';
    const empty = all('main, section, article, ul, ol, tbody, [id], [data-testid]')
      .slice(0, 2_000)
      .some((element) => {
        if (
          element.childElementCount > 0 ||
          element.textContent?.trim() ||
          !element.matches('div, main, section, article, ul, ol, tbody')
        )
          return false;
        const rect = element.getBoundingClientRect();
        return (
          rect.top < height &&
          rect.bottom >= 0 &&
          rect.width > width * 0.2 &&
          !/modal|dialog|toast|portal|overlay|tooltip|ads?\b|gtm|root-portal/i.test(
            `${element.id} ${element.className}`,
          )
        );
      });
    return empty ? 'thin' : 'finished';
  }
}
