import { elementsInBody, hasOwnText, rootElements } from '../dom/examined.ts';
import { setStyles } from '../dom/styles.ts';

/**
 * Removes the distances along which a scene stays in the window while the page is scrolled: below scenes that GSAP or ScrollMagic
 * pins, and in boxes that hold only a tall sticky element.
 *
 * @param windowHeight of the visitor's window, CSS pixels.
 * @param trims whether to remove empty space at the end of the page too: scenes that were moved below the end are back.
 * @returns by how much the page is shorter, CSS pixels.
 */
export function removeGaps({ windowHeight, trims }: { windowHeight: number; trims: boolean }): number {
  const all = elementsInBody();
  let removed = closePins();
  for (const element of all) removed += closeSticky(element, windowHeight);
  const end = Math.max(endOfRoots(), ...(trims ? all.map(endOf) : []));
  const left = window.innerHeight - Math.max(0, removed) - end;
  return Math.max(0, removed) + (trims && left > 50 ? left : 0);
}

/** Closes the room below pinned scenes. Returns its height, CSS pixels. */
function closePins(): number {
  let removed = 0;
  for (const spacer of document.querySelectorAll<HTMLElement>('.pin-spacer, .scrollmagic-pin-spacer')) {
    const gap = Number.parseFloat(getComputedStyle(spacer).paddingBottom);
    if (!spacer.firstElementChild || !(gap > 0)) continue;
    const { height } = rectOf(spacer);
    setStyles(spacer, { 'padding-bottom': '0px', height: `${height - gap}px`, 'min-height': '0' });
    removed += height - rectOf(spacer).height;
  }
  return removed;
}

/** Closes the room below a sticky element. Returns its height, CSS pixels. */
function closeSticky(element: HTMLElement, windowHeight: number): number {
  const { parentElement: box, style } = element;
  if (!style || !box || rootElements().includes(box)) return 0;
  const { position, top } = getComputedStyle(element);
  if (position !== 'sticky' || top === 'auto') return 0;
  const { height, width, bottom } = rectOf(element);
  if (height < windowHeight / 2 || width < window.innerWidth * 0.6) return 0;
  if (rectOf(box).bottom - bottom < windowHeight * 0.2 || !isEmptyBelow(box, element)) return 0;
  const before = { css: box.style.cssText, height: rectOf(box).height, end: endOfRoots() };
  // On paper the scene may have another height.
  setStyles(box, { height: 'auto', 'min-height': '0', 'padding-bottom': '0' });
  const rest = rectOf(box).bottom - rectOf(element).bottom;
  if (rest > 2) {
    setStyles(box, { height: `${rectOf(box).height - rest}px`, 'box-sizing': 'border-box', 'overflow-y': 'clip' });
  }
  const closed = before.height - rectOf(box).height;
  if (closed > 0 && before.end - endOfRoots() > closed - 2) return closed;
  // An equally tall element beside the box keeps the row tall.
  box.style.cssText = before.css;
  return 0;
}

/** Whether a visitor sees only the background in a box below its sticky element. */
function isEmptyBelow(box: HTMLElement, element: HTMLElement): boolean {
  const { bottom: from, left, width } = rectOf(element);
  const inside = [...box.querySelectorAll('*')].filter((each) => !element.contains(each));
  if (inside.some((each) => rectOf(each).bottom > from + 2 && isPainted(each))) return false;
  const shares = [0.1, 0.3, 0.5, 0.7, 0.9];
  const points = shares.flatMap((x) => shares.map((y) => [x, y] as const));
  return points.every(([x, y]) => {
    const at = document.elementsFromPoint(left + x * width, from + y * (rectOf(box).bottom - from));
    return at.every((each) => each.contains(box) || inside.includes(each) || !isPainted(each));
  });
}

function isPainted(element: Element): boolean {
  if (!element.checkVisibility({ opacityProperty: false, visibilityProperty: true })) return false;
  const { backgroundImage, backgroundColor, position } = getComputedStyle(element);
  if (position === 'fixed') return false;
  if (element.matches('img, video, canvas, svg, svg *, iframe, object, input, textarea, select')) return true;
  if (backgroundImage !== 'none' || !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)) return true;
  return hasOwnText(element);
}

function endOf(element: HTMLElement): number {
  const { width, height, bottom } = rectOf(element);
  return width * height > 0 ? bottom : 0;
}

function endOfRoots(): number {
  return Math.max(...rootElements().map((each) => rectOf(each).bottom));
}

function rectOf(element: Element): DOMRect {
  return element.getBoundingClientRect();
}
