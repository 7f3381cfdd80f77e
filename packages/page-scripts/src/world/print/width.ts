import { setStyles } from '../dom/styles.ts';

/** How many elements are examined. */
const elementsAtMost = 5_000;

/** The least width of a part that counts, CSS pixels. Smaller parts are icons. */
const leastWidth = 100;

/**
 * Whether scripts have given a part of the page a size or a position in pixels beyond the paper: the slides of a carousel, a
 * chart, the columns of a table or of a wall of images. A fixed bar at the side of the window also counts, because it may be
 * closed in a window as narrow as the paper.
 *
 * @param width between the margins of the paper, CSS pixels.
 */
export function exceedsPaper(width: number): boolean {
  if (window.innerWidth <= width) return false;
  const all = [...document.querySelectorAll('body *')].slice(0, elementsAtMost);
  if (all.some((element) => isSideBar(element, width))) return true;
  if (document.scripts.length === 0) return false;
  const candidates = document.querySelectorAll<HTMLElement | SVGElement>('body [style*="px"], canvas, svg[width]');
  return [...candidates].slice(0, elementsAtMost).some((element) => {
    const box = element.getBoundingClientRect();
    // Fixed elements are no part of the text.
    const isOfPage = () => element.checkVisibility() && getComputedStyle(element).position !== 'fixed';
    return box.right > width + 1 && isSized(element, box.width) && isOfPage();
  });
}

function isSideBar(element: Element, paperWidth: number): boolean {
  const { top, left, right, width, height } = element.getBoundingClientRect();
  const isBeside = right > paperWidth && left < window.innerWidth && top < 200 && height > width && width >= leastWidth;
  return isBeside && getComputedStyle(element).position === 'fixed' && element.checkVisibility();
}

function isSized({ localName, style }: HTMLElement | SVGElement, drawn: number): boolean {
  if (localName === 'canvas' || localName === 'svg') return drawn >= leastWidth;
  const lengths = [style.width, style.minWidth, style.flexBasis, style.left, style.translate];
  const places = style.transform.match(/(?<=^translate(?:3d|X)?\()-?[\d.]+px/) ?? [];
  const isLong = (length: string) => length.endsWith('px') && Math.abs(Number.parseFloat(length)) >= leastWidth;
  return [...lengths, ...places].some((each) => isLong(each.split(' ', 1)[0] ?? ''));
}

/** Lets cells of a grid or row get narrower than their charts: a chart that follows its cell would keep the cell wide. */
export function releaseCells(): void {
  for (const chart of document.querySelectorAll('canvas, svg[width]')) {
    if (chart.clientWidth < leastWidth) continue;
    for (let each = chart.parentElement; each && each !== document.body; each = each.parentElement) {
      // Elements outside a grid or row have 0.
      if (getComputedStyle(each).minWidth === 'auto') setStyles(each, { 'min-width': '0' });
    }
  }
}
