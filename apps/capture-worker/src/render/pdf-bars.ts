/// <reference lib="dom" />
import type { FrozenWorld } from '../page/grow/frozen.ts';

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
    .slice(0, 1_000)
    .filter((each) => /static|relative/.test(getComputedStyle(each).position))
    .map((each) => each.getBoundingClientRect().bottom);
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  const windowHeight = frozen?.height ?? window.innerHeight;
  const fillsWindow = !frozen && scrollHeight <= clientHeight && Math.max(...ends) >= clientHeight - 1;
  const button = 100;
  let moved = 0;
  for (const element of [...document.querySelectorAll<HTMLElement>('body *')].slice(0, 20_000)) {
    if (!element.style || getComputedStyle(element).position !== 'fixed') continue;
    try {
      release(element);
    } catch {
      // Scripts of the page have changed it meanwhile.
    }
  }

  function release(element: HTMLElement): void {
    const style = getComputedStyle(element);
    const { left, right, bottom, width, height } = element.getBoundingClientRect();
    const fills = width >= window.innerWidth * 0.95 && height >= windowHeight * 0.95;
    const section = fills ? clippedBy(element) : null;
    const isAnchored = style.getPropertyValue('position-anchor').startsWith('--');
    const styles = element.computedStyleMap();
    const isAtEnd = !isAnchored && String(styles.get('top')) === 'auto' && String(styles.get('bottom')) !== 'auto';
    if (section) {
      // A background that is seen through its section.
      if (getComputedStyle(section).position === 'static') set(section, { position: 'relative' });
      set(element, { position: 'absolute', inset: '0', width: '100%', height: '100%' });
    } else if (Number.parseFloat(style.height) >= window.innerHeight * 0.95 && !element.textContent?.trim()) {
      // A background of all of the page belongs on every sheet, where it is as tall as the sheet.
      set(element, { height: '100%' });
    } else if (right <= 0 || left >= window.innerWidth || bottom <= 0) {
      // A closed drawer beside the window: as part of the page it would make the sheet too wide, and on a sheet of another
      // width it may be in view.
      set(element, { 'clip-path': 'inset(100%)' });
    } else if (isAtEnd && !fillsWindow) {
      putAtEnd(element);
    } else {
      // Also at the bottom of a page that fills one window, and so one sheet: below it, there is no room. Nothing is wider than
      // the paper: Chromium would print everything smaller.
      set(
        element,
        width >= window.innerWidth ? { position: 'absolute', 'max-width': '100%' } : { position: 'absolute' },
      );
    }
  }

  function set({ style }: HTMLElement, values: Record<string, string>): void {
    for (const [name, value] of Object.entries(values)) style.setProperty(name, value, 'important');
  }

  /**
   * Prints what is at the bottom of the window once, at the end of the page, on its side. It comes after the rest, but a button in
   * a corner is over it.
   */
  function putAtEnd(element: HTMLElement): void {
    const style = getComputedStyle(element);
    const { left, right, width, height } = element.getBoundingClientRect();
    const { display } = style;
    const bottom = Number.parseFloat(style.bottom) || 0;
    const isAuto = (name: string) => String(element.computedStyleMap().get(name)) === 'auto';
    const isStretched = isAuto('width') && !isAuto('left') && !isAuto('right');
    const isShifted = /^matrix\(1, 0, 0, 1,/.test(style.transform);
    const [before, after] = [left, window.innerWidth - right];
    const inFlow: Record<string, string> = { position: 'relative', inset: 'auto', display, 'break-inside': 'avoid' };
    if (isShifted) inFlow.transform = 'none';
    if (width < window.innerWidth * 0.9) {
      if (isAuto('width') && !isStretched) inFlow.width = 'fit-content';
      const isCentered = Math.abs(before - after) < window.innerWidth * 0.1;
      inFlow['margin-left'] = isStretched || (!isCentered && before < after) ? `${before}px` : 'auto';
      inFlow['margin-right'] = isStretched || (!isCentered && before > after) ? `${after}px` : 'auto';
    }
    if (width <= button && height <= button) {
      inFlow['margin-top'] = `${-height - bottom}px`;
      inFlow['margin-bottom'] = `${bottom}px`;
    }
    if (moved < 50 && isFollowed(element)) moveToEnd(element);
    set(element, inFlow);
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
    // In a row, it would be a column of its own.
    if (!parent || !document.body.contains(element) || getComputedStyle(document.body).display !== 'block') return;
    const follower = element.nextElementSibling;
    const lookOf = () => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const { color, backgroundColor, font } = getComputedStyle(element);
      const rest = [document.body.scrollHeight, follower?.getBoundingClientRect(), follower?.scrollHeight];
      return JSON.stringify([x, y, width, height, color, backgroundColor, font, rest]);
    };
    moved += 1;
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
