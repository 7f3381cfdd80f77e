import { elementsInBody } from '../dom/examined.ts';

/** Draws sections that Chromium otherwise draws only in view. */
export function showAllSections(): void {
  for (const element of elementsInBody()) {
    if (getComputedStyle(element).getPropertyValue('content-visibility') !== 'auto') continue;
    element.style?.setProperty('content-visibility', 'visible', 'important');
  }
}
