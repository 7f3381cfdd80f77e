/// <reference lib="dom" />
/**
 * What acts on pages (`runInPage`): each function is sent as text, so it sees nothing of what is around it here, and it
 * takes and gives JSON.
 */

/**
 * Resolves when the selector matches something.
 *
 * @param wanted.visible only what takes up room counts.
 * @param wanted.withinMs then it resolves with false, milliseconds.
 * @throws {SyntaxError} when it is no selector.
 */
export async function waitForMatch(wanted: { selector: string; visible: boolean; withinMs: number }): Promise<boolean> {
  const end = performance.now() + wanted.withinMs;
  for (;;) {
    const element = document.querySelector(wanted.selector);
    const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    if (element && (!wanted.visible || (width > 0 && height > 0))) return true;
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Where the first match can be clicked, scrolled into view: null if something lies over it, or it has no place. */
export function aim(selector: string): { x: number; y: number } | null {
  const element = document.querySelector(selector);
  if (!element) return null;
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getClientRects()[0] ?? new DOMRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = width > 0 && height > 0 ? document.elementFromPoint(x, y) : null;
  return hit && element.contains(hit) ? { x, y } : null;
}

/** Clicks the first match whatever lies over it. */
export function clickDirectly(selector: string): void {
  const element = document.querySelector(selector);
  if (element instanceof HTMLElement) element.click();
  else element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
}

/**
 * Puts the client's style sheet on the page, and what hides and removes. May be called again: what has come since is
 * removed as well.
 *
 * @throws {Error} that names the field, for what is no selector.
 */
export function dress(style: { css: string; hide: readonly string[]; remove: readonly string[] }): void {
  const check = (field: string) => (selector: string, index: number) => {
    try {
      document.createDocumentFragment().querySelector(selector);
    } catch {
      throw new Error(`${field}.${index} is not a CSS selector`);
    }
  };
  style.hide.forEach(check('hide_selectors'));
  style.remove.forEach(check('remove_selectors'));
  // A rule for each: were they in one, those that only some browsers know would take the others with them.
  const rules = (selectors: readonly string[], declaration: string) =>
    selectors.map((selector) => `${selector} { ${declaration} !important }`).join('\n');

  const world = globalThis as { captureSheet?: CSSStyleSheet };
  if (!world.captureSheet) {
    world.captureSheet = new CSSStyleSheet();
    const text = [rules(style.hide, 'visibility: hidden'), rules(style.remove, 'display: none')].join('\n');
    // An adopted sheet is no concern of the page's security policy, but it may import nothing.
    const imports = /@import/i.test(style.css);
    if (imports) (document.head ?? document.documentElement).append(sheetElement(style.css));
    world.captureSheet.replaceSync(imports ? text : `${style.css}\n${text}`);
  }
  if (!document.adoptedStyleSheets.includes(world.captureSheet)) {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, world.captureSheet];
  }
  // Hidden rather than taken out of the tree: scripts that keep an eye on their elements would trip over the gap.
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
