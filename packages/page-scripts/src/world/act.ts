import { findMatch } from './act/find-match.ts';

export { applyStyle } from './act/apply-style.ts';
export { clickDirectly, findClickPoint } from './act/click.ts';
export { waitForMatch } from './act/wait-for-match.ts';

/** Returns position and size of the match on the page in CSS pixels; null if the match has no size. */
export function placeOfMatch(selector: string): { x: number; y: number; width: number; height: number } | null {
  const box = findMatch(selector)?.box;
  if (!box) return null;
  return { x: box.x + window.scrollX, y: box.y + window.scrollY, width: box.width, height: box.height };
}
