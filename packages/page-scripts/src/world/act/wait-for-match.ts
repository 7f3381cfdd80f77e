import { findMatch } from './find-match.ts';

const lookEveryMs = 50;

/**
 * Waits until the selector matches an element.
 *
 * @param match.visible whether the element must be drawn, with a size. If no match is drawn, `<details>` and elements that are
 * hidden until found open for a match inside, as they do for a link to the match.
 * @param match.withinMs limit in milliseconds, after which the result is false.
 * @throws {SyntaxError} when the selector is invalid.
 */
export async function waitForMatch(match: { selector: string; visible: boolean; withinMs: number }): Promise<boolean> {
  const end = performance.now() + match.withinMs;
  for (;;) {
    if (match.visible ? findVisible(match.selector) : document.querySelector(match.selector)) return true;
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function findVisible(selector: string) {
  return findMatch(selector) ?? (reveal(selector) ? findMatch(selector) : null);
}

/** Opens closed elements around the first match. Returns whether an element was closed. */
function reveal(selector: string): boolean {
  let hasOpened = false;
  const first = document.querySelector(selector);
  loadEagerly(first);
  for (let each = first; each; each = each.parentElement) {
    const outer = each.parentElement;
    if (each instanceof HTMLElement && each.getAttribute('hidden')?.toLowerCase() === 'until-found') {
      each.removeAttribute('hidden');
      hasOpened = true;
    }
    if (!(outer instanceof HTMLDetailsElement) || outer.open || each === findSummary(outer)) continue;
    outer.open = true;
    hasOpened = true;
  }
  return hasOpened;
}

/** An image far below the window may have no size until the image is loaded. */
function loadEagerly(match: Element | null): void {
  for (const image of match ? [match, ...match.querySelectorAll('img')] : []) {
    if (image instanceof HTMLImageElement && image.loading === 'lazy') image.loading = 'eager';
  }
}

function findSummary(details: HTMLDetailsElement): Element | null {
  return details.querySelector(':scope > summary');
}
