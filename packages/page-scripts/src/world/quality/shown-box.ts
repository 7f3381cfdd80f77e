import { findMatch } from '../act/find-match.ts';

/** The part of the page that the file shows. `page` is all of the page. CSS pixels. */
export type ShownArea =
  | { kind: 'viewport' | 'page' }
  | { kind: 'clip'; x: number; y: number; width: number; height: number }
  | { kind: 'selector'; selector: string };

/** Edges in the viewport, CSS pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The edges of the area that the file shows. */
export function shownBox(area: ShownArea): Box {
  const match = area.kind === 'selector' ? findMatch(area.selector) : null;
  if (match) return match.box;
  if (area.kind === 'clip') {
    const [left, top] = [area.x - scrollX, area.y - scrollY];
    return { left, top, right: left + area.width, bottom: top + area.height };
  }
  if (area.kind !== 'page') return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const { scrollWidth, scrollHeight } = document.documentElement;
  const width = Math.max(innerWidth, scrollWidth);
  return { left: -scrollX, top: -scrollY, right: width - scrollX, bottom: scrollHeight - scrollY };
}

export function intersects(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

export function isSeen(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
}

/** Whether no ancestor clips the box away, as carousels do. */
export function isUnclipped(element: Element, box: Box): boolean {
  const root = document.documentElement;
  for (let parent = element.parentElement; parent && parent !== root; parent = parent.parentElement) {
    const style = getComputedStyle(parent);
    if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
    if (parent !== document.body && !intersects(box, parent.getBoundingClientRect())) return false;
  }
  return true;
}
