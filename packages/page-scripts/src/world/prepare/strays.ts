import { elementsInBody, rootElements } from '../dom/elements.ts';

/**
 * Puts elements back that scripts have moved below the end of the page's own boxes: parallax of a great speed moves them by many
 * windows, and a visitor sees them at their place when they are in view.
 */
export function returnStrays(): void {
  const end = Math.max(window.innerHeight, ...rootElements().map((each) => each.getBoundingClientRect().bottom));
  for (const element of elementsInBody()) {
    const { style } = element;
    if (!(style?.transform || style?.translate) || element.getBoundingClientRect().bottom <= end) continue;
    style.setProperty('transform', 'none', 'important');
    style.setProperty('translate', 'none', 'important');
  }
}
