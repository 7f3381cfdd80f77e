/// <reference lib="dom" />
import type { SceneWorld } from '../scenes/scenes.ts';

/**
 * Scripts for `runInPage` that show what is hidden near the end of the page. Each is sent as text, so it must be
 * self-contained; input and result are JSON.
 */

/**
 * Whether something that a visitor reads is hidden in the lower part of the page, as it is before it is scrolled to, or has a
 * colour that follows the scroll position: sentences whose words light up one after the other.
 */
export function hidesEnd({ elements }: { elements: number }): boolean {
  const { innerHeight } = window;
  const { scrolled = [] } = (globalThis as SceneWorld).captureScenes ?? {};
  const isTinted = (element: Element) =>
    element instanceof HTMLElement &&
    (element.style.color !== '' || element.style.backgroundSize !== '') &&
    element.getBoundingClientRect().top >= innerHeight * 0.4 &&
    !!element.textContent?.trim();
  if ([...scrolled].some(isTinted)) return true;
  return [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements).some((element) => {
    const { top, bottom, width, height } = element.getBoundingClientRect();
    if (top < innerHeight * 0.4 || width * height < 2_000) return false;
    const { opacity, visibility, position, clipPath } = getComputedStyle(element);
    if (position === 'fixed' || !(element.textContent?.trim() || element.matches('img, :has(img)'))) return false;
    if (width * height >= 10_000 && (Number(opacity) <= 0.1 || visibility === 'hidden')) return true;
    if (/inset\([^)]*(?:9\d|100)(?:\.\d+)?%|circle\(0/.test(clipPath)) return true;
    // A line of a heading that slides in from below its own edge.
    if (!/translate|matrix/.test(element.style?.transform ?? '') || !element.parentElement) return false;
    const edge = element.parentElement.getBoundingClientRect();
    const { overflowY } = getComputedStyle(element.parentElement);
    return /hidden|clip/.test(overflowY) && edge.height > 10 && (top >= edge.bottom - 2 || bottom <= edge.top + 2);
  });
}

/** What the page shows before its window is taller than itself, with the styles that hide and move it. */
interface Shown {
  captureShown?: Map<HTMLElement, Record<string, string>> | undefined;
}

/** Remembers what the upper part of the page shows. */
export function rememberShown({ elements }: { elements: number }): void {
  const { innerHeight } = window;
  const names = ['opacity', 'visibility', 'transform', 'translate', 'scale', 'rotate', 'filter', 'clip-path'];
  const shown = new Map<HTMLElement, Record<string, string>>();
  for (const element of [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements)) {
    const { bottom, width, height } = element.getBoundingClientRect();
    if (!element.style || bottom > innerHeight * 0.4 || width * height < 2_000) continue;
    const style = getComputedStyle(element);
    if (style.position === 'fixed' || style.visibility !== 'visible' || Number(style.opacity) < 0.9) continue;
    shown.set(element, Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)])));
  }
  (globalThis as Shown).captureShown = shown;
}

/**
 * Shows again what scripts have hidden since `rememberShown`: those that hide what has left the window at its top count the
 * upper part of a window that is too tall as left.
 */
export function keepShown(): void {
  const world = globalThis as Shown;
  const shown = world.captureShown ?? new Map<HTMLElement, Record<string, string>>();
  world.captureShown = undefined;
  for (const [element, styles] of shown) {
    if (!element.isConnected || !isHidden(element) || isReplaced(element)) continue;
    for (const [name, value] of Object.entries({ transition: 'none', ...styles })) {
      element.style.setProperty(name, value, 'important');
    }
  }

  function isHidden(element: Element): boolean {
    const { opacity, visibility } = getComputedStyle(element);
    return Number(opacity) < 0.5 || visibility === 'hidden';
  }

  /** Slides take turns in one place. */
  function isReplaced(element: Element): boolean {
    const rect = element.getBoundingClientRect();
    return [...(element.parentElement?.children ?? [])].some((other) => {
      if (shown.has(other as HTMLElement) || isHidden(other)) return false;
      const { top, bottom, left, right } = other.getBoundingClientRect();
      const width = Math.min(right, rect.right) - Math.max(left, rect.left);
      const height = Math.min(bottom, rect.bottom) - Math.max(top, rect.top);
      return width > 0 && height > 0 && width * height > (rect.width * rect.height) / 2;
    });
  }
}
