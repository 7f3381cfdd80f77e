import { elementsInBody } from '../dom/examined.ts';
import { setStyles } from '../dom/styles.ts';
import { visitorHeight } from '../prepare/visitor-window.ts';
import { state } from '../state/page-state.ts';
import { putAtEnd } from './put-at-end.ts';

/** Prints bars of a web page once: Chromium repeats fixed elements on every sheet. Documents made for print keep them. */
export function releaseBars(): void {
  if (isMadeForPrint()) return;
  const fills = !state.visitor && fillsOneWindow();
  for (const element of elementsInBody()) {
    if (!element.style || getComputedStyle(element).position !== 'fixed') continue;
    try {
      release(element, fills);
    } catch {
      // Scripts of the page have changed the element meanwhile.
    }
  }
}

/** Whether the page is as tall as the window, and no taller. */
function fillsOneWindow(): boolean {
  const { scrollHeight, clientHeight } = document.documentElement;
  const ends = [...(document.body?.children ?? [])]
    .slice(0, 1_000)
    .filter((each) => /static|relative/.test(getComputedStyle(each).position))
    .map((each) => each.getBoundingClientRect().bottom);
  return scrollHeight <= clientHeight && Math.max(...ends) >= clientHeight - 1;
}

function release(element: HTMLElement, fillsWindow: boolean): void {
  const { left, right, bottom, width } = element.getBoundingClientRect();
  const section = coversWindow(element) ? clippedBy(element) : null;
  if (section) {
    // The background is seen through its section.
    if (getComputedStyle(section).position === 'static') setStyles(section, { position: 'relative' });
    setStyles(element, { position: 'absolute', inset: '0', width: '100%', height: '100%' });
  } else if (isBackground(element)) {
    // A background of the full page belongs on every sheet, as tall as the sheet.
    setStyles(element, { height: '100%' });
  } else if (right <= 0 || left >= window.innerWidth || bottom <= 0) {
    // The element is a closed drawer beside the window, which would make the sheet too wide, or be in view on it.
    setStyles(element, { 'clip-path': 'inset(100%)' });
  } else if (isAtEnd(element) && !fillsWindow) {
    putAtEnd(element);
  } else {
    // The bar also stays at the bottom of a page that fills one window, and so one sheet: below the bar, there is no room.
    // Nothing is wider than the paper: Chromium would print everything smaller.
    setStyles(element, { position: 'absolute', ...(width >= window.innerWidth && { 'max-width': '100%' }) });
  }
}

function coversWindow(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width >= window.innerWidth * 0.95 && height >= visitorHeight() * 0.95;
}

function isBackground(element: HTMLElement): boolean {
  const { height } = getComputedStyle(element);
  return Number.parseFloat(height) >= window.innerHeight * 0.95 && !element.textContent?.trim();
}

function isAtEnd(element: HTMLElement): boolean {
  const isAnchored = getComputedStyle(element).getPropertyValue('position-anchor').startsWith('--');
  const styles = element.computedStyleMap();
  return !isAnchored && String(styles.get('top')) === 'auto' && String(styles.get('bottom')) !== 'auto';
}

/** Returns the ancestor that cuts a part off a fixed element. */
function clippedBy(element: Element): HTMLElement | null {
  for (let each = element.parentElement; each && each !== document.body; each = each.parentElement) {
    const { clipPath, clip } = getComputedStyle(each);
    if (clipPath.startsWith('inset') || clip.startsWith('rect')) return each;
  }
  return null;
}

/** Whether a document describes its sheets by `@page`; web sites often set only a margin there. */
function isMadeForPrint(): boolean {
  return [...document.styleSheets].some((sheet) => {
    try {
      return [...sheet.cssRules].some((rule) => rule instanceof CSSPageRule && describesSheets(rule));
    } catch {
      // The sheet comes from another site and cannot be read.
      return false;
    }
  });
}

function describesSheets(rule: CSSPageRule): boolean {
  const { cssRules: marginBoxes } = rule as CSSPageRule & { cssRules?: CSSRuleList };
  return rule.selectorText !== '' || rule.style.getPropertyValue('size') !== '' || (marginBoxes?.length ?? 0) > 0;
}
