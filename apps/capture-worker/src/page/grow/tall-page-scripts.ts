/// <reference lib="dom" />
/** Scripts for `runInPage` for pages that seem too tall: each is sent as text, so it must be self-contained. */

/** Draws sections that are otherwise drawn only in view. */
export function drawAllSections({ elements }: { elements: number }): void {
  for (const element of [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements)) {
    if (getComputedStyle(element).getPropertyValue('content-visibility') !== 'auto') continue;
    element.style?.setProperty('content-visibility', 'visible', 'important');
  }
}

/**
 * Puts elements back that scripts have moved below the end of the page's own boxes: parallax of a great speed moves them by many
 * windows, and a visitor sees them at their place when they are in view.
 *
 * @param elements how many are examined.
 */
export function returnStrays({ elements }: { elements: number }): void {
  const boxes = [document.documentElement, ...(document.body ? [document.body] : [])];
  const end = Math.max(window.innerHeight, ...boxes.map((each) => each.getBoundingClientRect().bottom));
  for (const element of [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements)) {
    const { style } = element;
    if (!(style?.transform || style?.translate) || element.getBoundingClientRect().bottom <= end) continue;
    style.setProperty('transform', 'none', 'important');
    style.setProperty('translate', 'none', 'important');
  }
}
