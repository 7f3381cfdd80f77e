/// <reference lib="dom" />
import type { ExpandedWorld } from '../page/scroll/open-scroller.ts';

/** Functions that `runInPage` runs in pages before they are printed. */

/** Removes page breaks and the page's own margins: the request decides about the sheet. */
export function removeBreaks(margins: { top: number; right: number; bottom: number; left: number }): void {
  const { top, right, bottom, left } = margins;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    @page { size: auto !important; margin: ${top}px ${right}px ${bottom}px ${left}px !important }
    * { break-before: auto !important; break-after: auto !important; page: auto !important }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * Lets the lists beside the content of an application go on from sheet to sheet, as far as the content does. Their contained
 * size keeps each on one sheet, and the content with it.
 */
export function releaseLists(): void {
  const { captureLists: lists = [] } = globalThis as ExpandedWorld;
  const heights = lists.map(({ offsetHeight }) => offsetHeight);
  for (const [index, { style }] of lists.entries()) {
    if (style.contain !== 'size') continue;
    style.setProperty('max-height', `${heights[index]}px`, 'important');
    style.setProperty('contain', 'none', 'important');
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

/**
 * Scales charts that scripts have drawn as wide as the window to the width of the paper, where their own box would cut them,
 * and keeps the proportions of canvases that fill the window.
 *
 * @param paper.width what the paper has between its margins, CSS pixels.
 * @param paper.windowWidth the width of the window that they were drawn for.
 */
export function fitCharts({ width, windowWidth }: { width: number; windowWidth: number }): void {
  const { body } = document;
  for (const chart of document.querySelectorAll<SVGSVGElement | HTMLCanvasElement>('svg, canvas')) {
    const { width: drawn, height } = chart.getBoundingClientRect();
    const isTooWide = drawn > width && drawn <= windowWidth && height > 0;
    const box = isTooWide && !chart.parentElement?.closest('svg') ? boxOf(chart, drawn * height) : null;
    if (!box) continue;
    const whole = wholeOf(chart);
    if (whole) {
      // Its canvases lie beside and over one another: all of them get smaller, or none.
      const { clientWidth = 0 } = whole.parentElement ?? {};
      whole.style.setProperty('zoom', String((clientWidth * width) / window.innerWidth / whole.offsetWidth));
      continue;
    }
    if (chart instanceof SVGSVGElement && !chart.hasAttribute('viewBox')) {
      chart.setAttribute('viewBox', `0 0 ${drawn} ${height}`);
    }
    for (let each: Element | null = chart; each && each !== body; each = each.parentElement) {
      const { style } = each as HTMLElement;
      const isFixed = each === chart || Number.parseFloat(style?.width ?? '') > width;
      if (isFixed) style?.setProperty('max-width', '100%', 'important');
    }
    chart.style.setProperty('height', 'auto', 'important');
  }
  // Paper is taller than the window: what is drawn behind the page fills it without being stretched.
  for (const canvas of document.querySelectorAll('canvas')) {
    const { width: drawn, height } = canvas.getBoundingClientRect();
    const isStretched = Math.abs(drawn / height / (canvas.width / canvas.height) - 1) > 0.02;
    if (drawn >= window.innerWidth * 0.95 && !isStretched) canvas.style.setProperty('object-fit', 'cover');
  }

  /** The outermost box of fixed width that a chart of several canvases is drawn in; null if it has only one. */
  function wholeOf(chart: Element): HTMLElement | null {
    let whole: HTMLElement | null = null;
    for (let each = chart.parentElement; each && each !== body; each = each.parentElement) {
      if (Number.parseFloat(each.style.width) > width) whole = each;
    }
    return whole && whole.querySelectorAll('canvas').length > 1 ? whole : null;
  }

  /** What cuts a chart that fills it; a map also has images there. */
  function boxOf(chart: Element, area: number): Element | null {
    for (let each = chart.parentElement; each && each !== body; each = each.parentElement) {
      if (getComputedStyle(each).overflowX === 'visible') continue;
      const isFilled = area >= each.clientWidth * each.clientHeight * 0.8;
      return isFilled && !each.querySelector('img') ? each : null;
    }
    return null;
  }
}

/**
 * Puts the items of grids at the top of rows that no sheet has room for. Where one is at the end or in the center of such a row,
 * Chromium leaves the sheets before it empty, and prints what is beside it after them.
 *
 * @param sheet what the paper has between its margins, CSS pixels.
 */
export function releaseRows(sheet: { width: number; height: number; elements: number }): void {
  // As much longer as the paper is narrower.
  const growth = Math.max(1, window.innerWidth / sheet.width);
  for (const grid of [...document.querySelectorAll('body, body *')].slice(0, sheet.elements)) {
    const { display, alignItems } = getComputedStyle(grid);
    if (!display.endsWith('grid') || grid.clientHeight * growth <= sheet.height) continue;
    const items = [...grid.children].flatMap((element) => {
      const { style } = element as HTMLElement;
      const { alignSelf, position } = getComputedStyle(element);
      const alignment = alignSelf === 'auto' ? alignItems : alignSelf;
      const isLow = /\b(?:end|center|last)\b/.test(alignment) && !/absolute|fixed/.test(position);
      const { top, height } = element.getBoundingClientRect();
      return style && isLow ? [{ element, style, top, height, isCentered: alignment.includes('center') }] : [];
    });
    const before = items.map(({ style }) => [style.alignSelf, style.getPropertyPriority('align-self')] as const);
    for (const { style } of items) style.setProperty('align-self', 'start', 'important');
    const rows = items.map(({ element, top, height, isCentered }) => {
      const above = top - element.getBoundingClientRect().top;
      return above > 0 ? height + above * (isCentered ? 2 : 1) : 0;
    });
    for (const [index, { style }] of items.entries()) {
      if (rows[index]! * growth <= sheet.height) style.setProperty('align-self', ...before[index]!);
    }
  }
}

/**
 * Whether scripts have given a part of the page a size or a place in pixels that is beyond the paper: the slides of a carousel,
 * a chart, the columns of a table or of a wall of images. Smaller parts than `least` are icons. So is a fixed bar at the side
 * of the window, which may be closed in a window that is as narrow as the paper.
 */
export function exceedsPaper(paper: { width: number; least: number; elements: number }): boolean {
  if (window.innerWidth <= paper.width) return false;
  if ([...document.querySelectorAll('body *')].slice(0, paper.elements).some(isSideBar)) return true;
  if (document.scripts.length === 0) return false;
  const candidates = document.querySelectorAll<HTMLElement | SVGElement>('body [style*="px"], canvas, svg[width]');
  return [...candidates].slice(0, paper.elements).some((element) => {
    const { right, width } = element.getBoundingClientRect();
    // What is fixed is no part of the text.
    const isOfPage = () => element.checkVisibility() && getComputedStyle(element).position !== 'fixed';
    return right > paper.width + 1 && isSized(element, width) && isOfPage();
  });

  function isSideBar(element: Element): boolean {
    const { top, left, right, width, height } = element.getBoundingClientRect();
    const isBeside =
      right > paper.width && left < window.innerWidth && top < 200 && height > width && width >= paper.least;
    return isBeside && getComputedStyle(element).position === 'fixed' && element.checkVisibility();
  }

  function isSized({ localName, style }: HTMLElement | SVGElement, drawn: number): boolean {
    if (localName === 'canvas' || localName === 'svg') return drawn >= paper.least;
    const lengths = [style.width, style.minWidth, style.flexBasis, style.left, style.translate];
    const places = style.transform.match(/(?<=^translate(?:3d|X)?\()-?[\d.]+px/) ?? [];
    const isLong = (length: string) => length.endsWith('px') && Math.abs(Number.parseFloat(length)) >= paper.least;
    return [...lengths, ...places].some((each) => isLong(each.split(' ', 1)[0] ?? ''));
  }
}

/**
 * Lets the cells of a grid or row get narrower than the charts in them: a chart that follows the size of its cell would
 * otherwise keep it as wide as it is, and reach beyond the paper.
 *
 * @param least the width of a chart, CSS pixels. Smaller drawings are icons.
 */
export function releaseCells({ least }: { least: number }): void {
  for (const chart of document.querySelectorAll('canvas, svg[width]')) {
    if (chart.clientWidth < least) continue;
    for (let each = chart.parentElement; each && each !== document.body; each = each.parentElement) {
      // Others have 0.
      if (getComputedStyle(each).minWidth === 'auto') each.style.setProperty('min-width', '0', 'important');
    }
  }
}

/** Size of the page's content in CSS pixels. */
export function contentSize(): { width: number; height: number } {
  const { documentElement: root, body } = document;
  const { scrollWidth: width, scrollHeight } = root;
  if (scrollHeight > window.innerHeight || !body) return { width, height: Math.max(1, scrollHeight) };
  // If the content is shorter than the viewport, `scrollHeight` is the viewport's; in quirks mode the body's is too.
  const content = document.createRange();
  content.selectNodeContents(body);
  const bottom = content.getBoundingClientRect().bottom + Number.parseFloat(getComputedStyle(body).marginBottom);
  const isQuirky = document.compatMode === 'BackCompat';
  const height = isQuirky ? bottom : Math.max(root.getBoundingClientRect().bottom, bottom);
  return { width, height: Math.max(1, Math.ceil(height)) };
}
