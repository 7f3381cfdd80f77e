import { findMatch } from './find-match.ts';

/** Scrolls the first visible match into view and returns where to click the match; null if it is covered, or there is none. */
export function findClickPoint(selector: string): { x: number; y: number } | null {
  const match = findMatch(selector);
  if (!match) return null;
  const { element } = match;
  match.anchor.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getClientRects()[0] ?? findMatch(selector)?.box ?? new DOMRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = width > 0 && height > 0 ? document.elementFromPoint(x, y) : null;
  return hit && element.contains(hit) ? { x, y } : null;
}

/** Clicks the first visible match, or the first match if none is visible, even if another element covers the match. */
export function clickDirectly(selector: string): void {
  const element = findMatch(selector)?.element ?? document.querySelector(selector);
  if (element instanceof HTMLElement) element.click();
  else element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
}
