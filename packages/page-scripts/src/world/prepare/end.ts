import { elementsInBody } from '../dom/examined.ts';
import { overlap } from '../dom/overlap.ts';
import { state } from '../state/page-state.ts';
import { lookNames } from './scenes/looks.ts';

/** The share of the window's height that counts as its upper part. */
const upperPart = 0.4;

/** Smaller elements do not count, square CSS pixels. */
const leastArea = 2_000;

/**
 * Whether the lower part of the page hides something to read until a visitor scrolls there, or its colour follows the scroll
 * position: sentences whose words light up one after the other.
 */
export function hidesEnd(): boolean {
  return [...(state.scenes?.scrolled ?? [])].some(isTinted) || elementsInBody().some(isHiddenText);
}

function isTinted(element: Element): boolean {
  return (
    element instanceof HTMLElement &&
    (element.style.color !== '' || element.style.backgroundSize !== '') &&
    element.getBoundingClientRect().top >= window.innerHeight * upperPart &&
    !!element.textContent?.trim()
  );
}

function isHiddenText(element: HTMLElement): boolean {
  const { top, bottom, width, height } = element.getBoundingClientRect();
  if (top < window.innerHeight * upperPart || width * height < leastArea) return false;
  const { opacity, visibility, position, clipPath } = getComputedStyle(element);
  if (position === 'fixed' || !(element.textContent?.trim() || element.matches('img, :has(img)'))) return false;
  if (width * height >= 10_000 && (Number(opacity) <= 0.1 || visibility === 'hidden')) return true;
  if (/inset\([^)]*(?:9\d|100)(?:\.\d+)?%|circle\(0/.test(clipPath)) return true;
  // A line of a heading slides in from below its own edge.
  if (!/translate|matrix/.test(element.style?.transform ?? '') || !element.parentElement) return false;
  const edge = element.parentElement.getBoundingClientRect();
  const { overflowY } = getComputedStyle(element.parentElement);
  return /hidden|clip/.test(overflowY) && edge.height > 10 && (top >= edge.bottom - 2 || bottom <= edge.top + 2);
}

/** Records what the upper part of the page shows. */
export function recordShown(): void {
  const shown = new Map<HTMLElement, Record<string, string>>();
  for (const element of elementsInBody()) {
    const { bottom, width, height } = element.getBoundingClientRect();
    if (!element.style || bottom > window.innerHeight * upperPart || width * height < leastArea) continue;
    const style = getComputedStyle(element);
    if (style.position === 'fixed' || style.visibility !== 'visible' || Number(style.opacity) < 0.9) continue;
    shown.set(element, Object.fromEntries(lookNames.map((name) => [name, style.getPropertyValue(name)])));
  }
  state.shown = shown;
}

/** Shows elements that scripts have hidden since `recordShown` because they seem to be above a window that is too tall. */
export function applyShown(): void {
  const shown = state.shown ?? new Map<HTMLElement, Record<string, string>>();
  delete state.shown;
  for (const [element, styles] of shown) {
    if (!element.isConnected || !isHidden(element) || isReplaced(element, shown)) continue;
    for (const [name, value] of Object.entries({ transition: 'none', ...styles })) {
      element.style.setProperty(name, value, 'important');
    }
  }
}

function isHidden(element: Element): boolean {
  const { opacity, visibility } = getComputedStyle(element);
  return Number(opacity) < 0.5 || visibility === 'hidden';
}

/** Whether another slide replaces the element: slides take turns in one place. */
function isReplaced(element: Element, shown: Map<HTMLElement, unknown>): boolean {
  const rect = element.getBoundingClientRect();
  return [...(element.parentElement?.children ?? [])].some((other) => {
    if (shown.has(other as HTMLElement) || isHidden(other)) return false;
    return overlap(rect, other.getBoundingClientRect()) > (rect.width * rect.height) / 2;
  });
}
