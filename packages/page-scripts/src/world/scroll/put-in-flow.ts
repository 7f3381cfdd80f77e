import { setStyles } from '../dom/styles.ts';

/** Returns how much room each box of a chain has below it in its parent box, CSS pixels. */
export function roomsOf(boxes: HTMLElement[]): number[] {
  return boxes.map((element, at) => {
    const around = boxes[at + 1];
    const bottom = !around || around === document.body ? window.innerHeight : bottomOf(around);
    return bottom - bottomOf(element);
  });
}

/**
 * Puts an absolutely placed box in the flow: otherwise it would not make its parent taller, and a bar below would be at the top.
 */
export function putInFlow(child: HTMLElement, parent: HTMLElement | undefined, room: number): void {
  if (!parent || child.contains(document.body) || getComputedStyle(child).position !== 'absolute') return;
  const before = child.getBoundingClientRect();
  if (bottomOf(parent) > before.bottom + room - 1) return;
  setStyles(child, { position: 'relative', inset: 'auto', 'margin-bottom': `${Math.max(room, 0)}px` });
  // The margins of the content stay within the box, and the margins of the box within its parent.
  for (const box of [child, parent]) {
    if (getComputedStyle(box).display === 'block') setStyles(box, { display: 'flow-root' });
  }
  const { x, y, width } = child.getBoundingClientRect();
  if (Math.abs(width - before.width) > 1) setStyles(child, { width: `${before.width}px` });
  const { marginLeft, marginTop } = getComputedStyle(child);
  setStyles(child, {
    'margin-left': `${Number.parseFloat(marginLeft) + before.x - x}px`,
    'margin-top': `${Number.parseFloat(marginTop) + before.y - y}px`,
  });
}

function bottomOf(element: Element): number {
  return element.getBoundingClientRect().bottom;
}
