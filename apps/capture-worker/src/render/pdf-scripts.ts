/// <reference lib="dom" />
import type { FrozenWorld } from '../page/grow/frozen.ts';
import type { ExpandedWorld } from '../page/scroll/open-scroller.ts';

/** Functions that `runInPage` runs in pages printed on a single sheet. */

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
 * Prints bars of a web page once: Chromium repeats elements of fixed position on every sheet, over its text. Documents made
 * for print keep them: they are their running heads. Such a document says by `@page` what its sheets are like; web sites
 * often set a margin there, and no more.
 */
export function releaseBars(): void {
  const isMadeForPrint = [...document.styleSheets].some((sheet) => {
    try {
      return [...sheet.cssRules].some((rule) => rule instanceof CSSPageRule && describesSheets(rule));
    } catch {
      return false;
    }
  });
  if (isMadeForPrint) return;
  const { scrollHeight, clientHeight } = document.documentElement;
  const ends = [...(document.body?.children ?? [])]
    .filter((each) => /static|relative/.test(getComputedStyle(each).position))
    .map((each) => each.getBoundingClientRect().bottom);
  const fillsWindow =
    !(globalThis as FrozenWorld).captureFrozen && scrollHeight <= clientHeight && Math.max(...ends) >= clientHeight - 1;
  for (const element of [...document.querySelectorAll<HTMLElement>('body *')].slice(0, 20_000)) {
    const style = getComputedStyle(element);
    const { position, height } = style;
    if (position !== 'fixed' || !element.style) continue;
    // A background that is seen through its section.
    const section = clippedBy(element);
    if (section) {
      if (getComputedStyle(section).position === 'static')
        section.style.setProperty('position', 'relative', 'important');
      for (const [name, value] of Object.entries({ position: 'absolute', inset: '0', width: '100%', height: '100%' })) {
        element.style.setProperty(name, value, 'important');
      }
      continue;
    }
    // A background of all of the page belongs on every sheet, where it is as tall as the sheet.
    if (Number.parseFloat(height) >= window.innerHeight * 0.95 && !element.textContent?.trim()) {
      element.style.setProperty('height', '100%', 'important');
      continue;
    }
    // A closed drawer beside the window: as part of the page it would make the sheet too wide, and on a sheet of another
    // width it may be in view.
    const { left, right, bottom } = element.getBoundingClientRect();
    if (right <= 0 || left >= window.innerWidth || bottom <= 0) {
      element.style.setProperty('clip-path', 'inset(100%)', 'important');
      continue;
    }
    const styles = element.computedStyleMap();
    const isAnchored = style.getPropertyValue('position-anchor').startsWith('--');
    const isAtEnd = !isAnchored && String(styles.get('top')) === 'auto' && String(styles.get('bottom')) !== 'auto';
    // A page that fills one window fills one sheet: below it, there is no room.
    if (isAtEnd && fillsWindow) {
      element.style.setProperty('position', 'absolute', 'important');
      continue;
    }
    if (isAtEnd) putAtEnd(element);
    else element.style.setProperty('position', 'absolute', 'important');
  }

  /**
   * Prints what is at the bottom of the window once, at the end of the page, on its side. What is as wide as the window comes
   * after the rest; a smaller part is over it.
   */
  function putAtEnd(element: HTMLElement): void {
    const style = getComputedStyle(element);
    const { left, right, width, height } = element.getBoundingClientRect();
    const { display } = style;
    const bottom = Number.parseFloat(style.bottom) || 0;
    const hasWidth = String(element.computedStyleMap().get('width')) !== 'auto';
    const isShifted = /^matrix\(1, 0, 0, 1,/.test(style.transform);
    const [before, after] = [left, window.innerWidth - right];
    const inFlow: Record<string, string> = { position: 'relative', inset: 'auto', display };
    if (width < window.innerWidth * 0.9) {
      if (!hasWidth) inFlow.width = 'fit-content';
      if (isShifted) inFlow.transform = 'none';
      const isCentered = Math.abs(before - after) < window.innerWidth * 0.1;
      inFlow['margin-left'] = !isCentered && before < after ? `${before}px` : 'auto';
      inFlow['margin-right'] = !isCentered && before > after ? `${after}px` : 'auto';
    }
    if (width < window.innerWidth / 2) {
      inFlow['margin-top'] = `${-height - bottom}px`;
      inFlow['margin-bottom'] = `${bottom}px`;
    }
    if (isFollowed(element)) moveToEnd(element);
    for (const [name, value] of Object.entries(inFlow)) element.style.setProperty(name, value, 'important');
  }

  /** What cuts a part off a fixed element. */
  function clippedBy(element: Element): HTMLElement | null {
    for (let each = element.parentElement; each && each !== document.body; each = each.parentElement) {
      const { clipPath, clip } = getComputedStyle(each);
      if (clipPath.startsWith('inset') || clip.startsWith('rect')) return each;
    }
    return null;
  }

  /** Whether something of the page comes after it. */
  function isFollowed(element: Element): boolean {
    for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
      for (let next = each.nextElementSibling; next; next = next.nextElementSibling) {
        const isOfPage = /static|relative|sticky/.test(getComputedStyle(next).position);
        if (isOfPage && next.clientHeight > 0 && next.checkVisibility()) return true;
      }
    }
    return false;
  }

  /** Only if it looks the same there: rules may be for its place. */
  function moveToEnd(element: HTMLElement): void {
    const { parentNode: parent, nextSibling: next } = element;
    if (!parent || !document.body.contains(element)) return;
    const lookOf = () => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const { color, backgroundColor, font } = getComputedStyle(element);
      return JSON.stringify([x, y, width, height, color, backgroundColor, font]);
    };
    const before = lookOf();
    // Frames in it keep what they show.
    document.body.moveBefore(element, null);
    if (lookOf() !== before) parent.moveBefore(element, next);
  }

  function describesSheets(rule: CSSPageRule): boolean {
    const { cssRules: marginBoxes } = rule as CSSPageRule & { cssRules?: CSSRuleList };
    return rule.selectorText !== '' || rule.style.getPropertyValue('size') !== '' || (marginBoxes?.length ?? 0) > 0;
  }
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
    return right > paper.width + 1 && isSized(element, width) && element.checkVisibility();
  });

  function isSideBar(element: Element): boolean {
    const { left, right, width, height } = element.getBoundingClientRect();
    const isBeside = right > paper.width && left < window.innerWidth && height > width && width >= paper.least;
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
