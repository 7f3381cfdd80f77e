import { setStyles } from '../dom/styles.ts';

/** A larger element is no button in a corner, CSS pixels. */
const buttonAtMost = 100;

/** How many elements to try at the end of the page: each try lays the page out twice. */
const movesAtMost = 50;

let moves = 0;

/**
 * Prints an element at the bottom of the window once, at the end of the page, on its side. The element comes after the rest of
 * the page, but a button in a corner lies over the rest.
 */
export function putAtEnd(element: HTMLElement): void {
  const styles = stylesInFlow(element);
  if (moves < movesAtMost && isFollowed(element)) moveToEnd(element);
  setStyles(element, styles);
}

function stylesInFlow(element: HTMLElement): Record<string, string> {
  const style = getComputedStyle(element);
  const { left, right, width, height } = element.getBoundingClientRect();
  const bottom = Number.parseFloat(style.bottom) || 0;
  const isAuto = (name: string) => String(element.computedStyleMap().get(name)) === 'auto';
  const isStretched = isAuto('width') && !isAuto('left') && !isAuto('right');
  const isShifted = /^matrix\(1, 0, 0, 1,/.test(style.transform);
  const [before, after] = [left, window.innerWidth - right];
  const styles: Record<string, string> = {
    position: 'relative',
    inset: 'auto',
    display: style.display,
    'break-inside': 'avoid',
  };
  if (isShifted) styles.transform = 'none';
  if (width < window.innerWidth * 0.9) {
    if (isAuto('width') && !isStretched) styles.width = 'fit-content';
    const isCentered = Math.abs(before - after) < window.innerWidth * 0.1;
    styles['margin-left'] = isStretched || (!isCentered && before < after) ? `${before}px` : 'auto';
    styles['margin-right'] = isStretched || (!isCentered && before > after) ? `${after}px` : 'auto';
  }
  if (width <= buttonAtMost && height <= buttonAtMost) {
    styles['margin-top'] = `${-height - bottom}px`;
    styles['margin-bottom'] = `${bottom}px`;
  }
  return styles;
}

/** Whether a part of the page comes after an element. */
function isFollowed(element: Element): boolean {
  for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
    for (let next = each.nextElementSibling; next; next = next.nextElementSibling) {
      const isOfPage = /static|relative|sticky/.test(getComputedStyle(next).position);
      if (isOfPage && next.clientHeight > 0 && next.checkVisibility()) return true;
    }
  }
  return false;
}

/** Moves an element to the end of the body if it looks the same there: some rules apply only in its place. */
function moveToEnd(element: HTMLElement): void {
  const { parentNode: parent, nextSibling: next } = element;
  // In a row, the element would be a separate column.
  if (!parent || !document.body.contains(element) || getComputedStyle(document.body).display !== 'block') return;
  const follower = element.nextElementSibling;
  moves += 1;
  const before = lookOf(element, follower);
  // Frames in the element keep their content.
  document.body.moveBefore(element, null);
  if (lookOf(element, follower) !== before) parent.moveBefore(element, next);
}

function lookOf(element: Element, follower: Element | null): string {
  const { x, y, width, height } = element.getBoundingClientRect();
  const { color, backgroundColor, font } = getComputedStyle(element);
  const rest = [document.body.scrollHeight, follower?.getBoundingClientRect(), follower?.scrollHeight];
  return JSON.stringify([x, y, width, height, color, backgroundColor, font, rest]);
}
