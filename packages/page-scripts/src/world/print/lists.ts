import { setStyles } from '../dom/styles.ts';
import { state } from '../state/page-state.ts';

/**
 * Lets the lists beside the content of an application go on from sheet to sheet, as far as the content does. Their contained
 * size keeps each on one sheet, and the content with it.
 */
export function releaseLists(): void {
  const lists = state.scroller?.lists ?? [];
  const heights = lists.map(({ offsetHeight }) => offsetHeight);
  for (const [index, list] of lists.entries()) {
    if (list.style.contain === 'size') setStyles(list, { 'max-height': `${heights[index]}px`, contain: 'none' });
  }
}
