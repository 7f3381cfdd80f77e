/// <reference lib="dom" />

/**
 * Removes the distances that a scene stays in the window for while the page is scrolled: below scenes that GSAP or ScrollMagic
 * pins, and in boxes that hold nothing but a tall sticky element. Sent as text by `runInPage`, so it must be self-contained.
 *
 * @param windowHeight of the visitor's window, CSS pixels.
 * @param trims whether what is empty at the end of the page is removed too: scenes that were moved below it are back.
 * @returns by how much the page is shorter, CSS pixels.
 */
export function removeGaps({
  elements,
  windowHeight,
  trims,
}: {
  elements: number;
  windowHeight: number;
  trims: boolean;
}): number {
  const all = [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements);
  const rectOf = (element: Element) => element.getBoundingClientRect();
  const roots = [document.documentElement, ...(document.body ? [document.body] : [])];
  const endOfRoots = () => Math.max(...roots.map((each) => rectOf(each).bottom));
  const set = (element: HTMLElement, styles: Record<string, string>) => {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important');
  };
  let removed = 0;
  for (const spacer of document.querySelectorAll<HTMLElement>('.pin-spacer, .scrollmagic-pin-spacer')) {
    const [pinned] = spacer.children;
    const gap = Number.parseFloat(getComputedStyle(spacer).paddingBottom);
    if (!pinned || !(gap > 0)) continue;
    const { height } = rectOf(spacer);
    set(spacer, { 'padding-bottom': '0px', height: `${height - gap}px`, 'min-height': '0' });
    removed += height - rectOf(spacer).height;
  }
  for (const element of all) removed += closeSticky(element);
  const end = Math.max(endOfRoots(), ...(trims ? all.map(endOf) : []));
  const left = window.innerHeight - Math.max(0, removed) - end;
  return Math.max(0, removed) + (trims && left > 50 ? left : 0);

  function endOf(element: HTMLElement): number {
    const { width, height, bottom } = rectOf(element);
    return width * height > 0 ? bottom : 0;
  }

  function closeSticky(element: HTMLElement): number {
    const { parentElement: box, style } = element;
    if (!style || !box || roots.includes(box)) return 0;
    const { position, top } = getComputedStyle(element);
    if (position !== 'sticky' || top === 'auto') return 0;
    const { height, width, bottom } = rectOf(element);
    if (height < windowHeight / 2 || width < window.innerWidth * 0.6) return 0;
    if (rectOf(box).bottom - bottom < windowHeight * 0.2 || !isEmptyBelow(box, element)) return 0;
    const before = { css: box.style.cssText, height: rectOf(box).height, end: endOfRoots() };
    // On paper the scene may have another height.
    set(box, { height: 'auto', 'min-height': '0', 'padding-bottom': '0' });
    const rest = rectOf(box).bottom - rectOf(element).bottom;
    if (rest > 2)
      set(box, { height: `${rectOf(box).height - rest}px`, 'box-sizing': 'border-box', 'overflow-y': 'clip' });
    const closed = before.height - rectOf(box).height;
    if (closed > 0 && before.end - endOfRoots() > closed - 2) return closed;
    // It is beside something else that is as tall.
    box.style.cssText = before.css;
    return 0;
  }

  /** Whether a visitor sees nothing in a box below its sticky element but the background. */
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
    return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  }
}
