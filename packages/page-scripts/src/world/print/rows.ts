import { elementsInBody } from '../dom/examined.ts';

interface LowItem {
  element: Element;
  style: CSSStyleDeclaration;
  top: number;
  height: number;
  isCentered: boolean;
}

/**
 * Puts the items of grids at the top of rows that are taller than a sheet. Where an item is at the end or in the center of such a
 * row, Chromium leaves the sheets before the item empty, and prints its neighbours after them.
 *
 * @param sheet its size between the margins, CSS pixels.
 */
export function releaseRows(sheet: { width: number; height: number }): void {
  // The page grows longer as the paper gets narrower.
  const growth = Math.max(1, window.innerWidth / sheet.width);
  for (const grid of [...(document.body ? [document.body] : []), ...elementsInBody()]) {
    const { display, alignItems } = getComputedStyle(grid);
    if (!display.endsWith('grid') || grid.clientHeight * growth <= sheet.height) continue;
    releaseItems(lowItemsOf(grid, alignItems), (row) => row * growth > sheet.height);
  }
}

function lowItemsOf(grid: Element, alignItems: string): LowItem[] {
  return [...grid.children].flatMap((element) => {
    const { style } = element as HTMLElement;
    const { alignSelf, position } = getComputedStyle(element);
    const alignment = alignSelf === 'auto' ? alignItems : alignSelf;
    const isLow = /\b(?:end|center|last)\b/.test(alignment) && !/absolute|fixed/.test(position);
    const { top, height } = element.getBoundingClientRect();
    return style && isLow ? [{ element, style, top, height, isCentered: alignment.includes('center') }] : [];
  });
}

/** Puts all items at the top, and restores the items whose row is not too tall, CSS pixels. */
function releaseItems(items: LowItem[], isTooTall: (row: number) => boolean): void {
  const before = items.map(({ style }) => [style.alignSelf, style.getPropertyPriority('align-self')] as const);
  for (const { style } of items) style.setProperty('align-self', 'start', 'important');
  const rows = items.map(({ element, top, height, isCentered }) => {
    const above = top - element.getBoundingClientRect().top;
    return above > 0 ? height + above * (isCentered ? 2 : 1) : 0;
  });
  for (const [index, { style }] of items.entries()) {
    if (!isTooTall(rows[index]!)) style.setProperty('align-self', ...before[index]!);
  }
}
