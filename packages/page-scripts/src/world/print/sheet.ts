import { setStyles } from '../dom/styles.ts';
import { state } from '../state/page-state.ts';

/** Removes page breaks and the page's own margins, because the request decides about the sheet. */
export function removeBreaks(margins: { top: number; right: number; bottom: number; left: number }): void {
  const { top, right, bottom, left } = margins;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    @page { size: auto !important; margin: ${top}px ${right}px ${bottom}px ${left}px !important }
    * { break-before: auto !important; break-after: auto !important; page: auto !important }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Returns the size of the page's content and the height of the window, CSS pixels. */
export function contentSize(): { width: number; height: number; windowHeight: number } {
  const { documentElement: root, body } = document;
  const { innerHeight: windowHeight } = window;
  const { scrollWidth: width, scrollHeight } = root;
  if (scrollHeight > windowHeight || !body) return { width, height: Math.max(1, scrollHeight), windowHeight };
  // If the content is shorter than the viewport, `scrollHeight` is the viewport's; in quirks mode the body's is too.
  const content = document.createRange();
  content.selectNodeContents(body);
  const bottom = content.getBoundingClientRect().bottom + Number.parseFloat(getComputedStyle(body).marginBottom);
  const isQuirky = document.compatMode === 'BackCompat';
  const height = isQuirky ? bottom : Math.max(root.getBoundingClientRect().bottom, bottom);
  return { width, height: Math.max(1, Math.ceil(height)), windowHeight };
}

/**
 * Lets the lists beside an application's content continue from sheet to sheet, as far as the content does. Their contained size
 * would keep each list, and the content with it, on one sheet.
 */
export function releaseLists(): void {
  const lists = state.scroller?.lists ?? [];
  const heights = lists.map(({ offsetHeight }) => offsetHeight);
  for (const [index, list] of lists.entries()) {
    if (list.style.contain === 'size') setStyles(list, { 'max-height': `${heights[index]}px`, contain: 'none' });
  }
}

/** Prints a page with its styles for the screen if it has none for paper: it would be text without a layout. */
export function useScreenStyles(): void {
  const sheets = [...document.styleSheets, ...document.adoptedStyleSheets].filter(({ disabled }) => !disabled);
  const isForScreen = ({ media }: StyleSheet) =>
    media.length > 0 && [...media].every((each) => /^(only )?screen\b/i.test(each));
  if (!sheets.every(isForScreen)) return;
  for (const { media } of sheets) media.mediaText = media.mediaText.replaceAll(/\bscreen\b/gi, 'all');
}
