/// <reference lib="dom" />
/**
 * Functions that `runInPage` runs to act on pages. Each is sent as text, so it cannot use anything outside itself, and its
 * input and output are JSON.
 */

import type { MatchWorld } from '../page/match-scripts.ts';

/** Scrolls the first visible match into view and returns where to click it; null if it is covered, or there is none. */
export function findClickPoint(selector: string): { x: number; y: number } | null {
  const { captureMatch: find } = globalThis as MatchWorld;
  const match = find?.(selector);
  if (!match) return null;
  const { element } = match;
  match.anchor.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getClientRects()[0] ?? find?.(selector)?.box ?? new DOMRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = width > 0 && height > 0 ? document.elementFromPoint(x, y) : null;
  return hit && element.contains(hit) ? { x, y } : null;
}

/** Clicks the first visible match, or the first one, even if it is covered. */
export function clickDirectly(selector: string): void {
  const shown = (globalThis as MatchWorld).captureMatch?.(selector)?.element;
  const element = shown ?? document.querySelector(selector);
  if (element instanceof HTMLElement) element.click();
  else element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
}

/**
 * Applies the client's style sheet and hides and removes elements. May be called again for elements added since.
 *
 * @throws {Error} that names the field with the invalid selector.
 */
export function applyStyle(style: { css: string; hide: readonly string[]; remove: readonly string[] }): void {
  const check = (field: string) => (selector: string, index: number) => {
    try {
      document.createDocumentFragment().querySelector(selector);
    } catch {
      throw new Error(`${field}.${index} is not a CSS selector`);
    }
  };
  style.hide.forEach(check('hide_selectors'));
  style.remove.forEach(check('remove_selectors'));
  // One rule per selector: in a shared rule, a selector the browser does not know would disable the others.
  const rules = (selectors: readonly string[], declaration: string) =>
    selectors.map((selector) => `${selector} { ${declaration} !important }`).join('\n');

  const world = globalThis as { captureSheet?: CSSStyleSheet };
  if (!world.captureSheet) {
    world.captureSheet = new CSSStyleSheet();
    const text = [rules(style.hide, 'visibility: hidden'), rules(style.remove, 'display: none')].join('\n');
    // The page's security policy does not apply to an adopted sheet, but such a sheet cannot import.
    const imports = /@import/i.test(style.css);
    if (imports) (document.head ?? document.documentElement).append(sheetElement(style.css));
    world.captureSheet.replaceSync(imports ? text : `${style.css}\n${text}`);
  }
  if (!document.adoptedStyleSheets.includes(world.captureSheet)) {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, world.captureSheet];
  }
  // Hidden rather than removed from the tree: the page's scripts may still use the elements.
  for (const [selectors, name, value] of [
    [style.hide, 'visibility', 'hidden'],
    [style.remove, 'display', 'none'],
  ] as const) {
    for (const selector of selectors) {
      for (const element of document.querySelectorAll<HTMLElement>(selector)) {
        element.style?.setProperty(name, value, 'important');
      }
    }
  }

  function sheetElement(css: string): HTMLStyleElement {
    const element = document.createElement('style');
    element.textContent = css;
    return element;
  }
}
