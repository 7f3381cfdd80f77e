/// <reference lib="dom" />
/** Scripts for `runInPage` that scroll: each is sent as text, so it must be self-contained; input and result are JSON. */

/**
 * Scrolls the window, then the large scrollers in it, down by one viewport per frame and back to the top, so that lazy content
 * has been in view.
 *
 * @param limits.budgetMs stops scrolling after this, milliseconds.
 * @param limits.followedViewports how many viewports to scroll in a page that grows while it is scrolled.
 */
export async function scrollThrough(limits: {
  budgetMs: number;
  followedViewports: number;
  maxScrollers: number;
}): Promise<void> {
  // Sections that are rendered only in view would be missing from the screenshot.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { content-visibility: visible !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + limits.budgetMs;
  const scrollDown = async (scroller: Element, step: number) => {
    const before = scroller.scrollTop;
    const bottom = Math.max(scroller.scrollHeight, step * limits.followedViewports);
    for (let top = 0; top < Math.min(scroller.scrollHeight, bottom) && performance.now() < end; top += step) {
      // `instant`: with smooth scrolling each step would start before the last one has ended.
      scroller.scrollTo({ top, behavior: 'instant' });
      await frame();
    }
    return before;
  };
  const root = document.scrollingElement ?? document.documentElement;
  await scrollDown(root, window.innerHeight);
  root.scrollTo({ top: 0, behavior: 'instant' });
  await frame();

  // A scroller that fills a good part of the screen is the page's content; a small list in a corner is not.
  const isLarge = (element: Element) =>
    element.scrollHeight > element.clientHeight + 50 &&
    element.clientHeight > window.innerHeight / 4 &&
    element.clientWidth > window.innerWidth / 4 &&
    /auto|scroll/.test(getComputedStyle(element).overflowY);
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each]));
  const scrollers = all(root).filter(isLarge).slice(0, limits.maxScrollers);
  for (const scroller of scrollers) {
    const top = await scrollDown(scroller, scroller.clientHeight);
    scroller.scrollTo({ top, behavior: 'instant' });
    await frame();
  }
}

/**
 * Expands the scroller that fills an application's window, if the window itself does not scroll. It and its ancestors grow to
 * the height of its content.
 */
export function openScroller(): void {
  if (document.documentElement.scrollHeight > window.innerHeight + 50) return;
  const fills = ({ scrollHeight, clientHeight, clientWidth }: Element) =>
    scrollHeight > clientHeight + 50 && clientHeight > window.innerHeight / 2 && clientWidth > window.innerWidth / 2;
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each]));
  let tallest: Element | null = null;
  for (const element of all(document.documentElement)) {
    if (!fills(element) || element.scrollHeight <= (tallest?.scrollHeight ?? 0)) continue;
    if (/auto|scroll/.test(getComputedStyle(element).overflowY)) tallest = element;
  }
  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  for (let element = tallest; element; element = parentOf(element)) {
    if (!(element instanceof HTMLElement)) continue;
    const { position } = getComputedStyle(element);
    const grown = { height: 'auto', 'max-height': 'none', overflow: 'visible', contain: 'none', bottom: 'auto' };
    for (const [name, value] of Object.entries(grown)) element.style.setProperty(name, value, 'important');
    // Fixed elements do not add to the height of the page.
    if (position === 'fixed') element.style.setProperty('position', 'absolute', 'important');
  }
}

/**
 * Scrolls to an element, through it if it is taller than the window, and then the window back to the top. The element's
 * scrolling ancestors stay where they show it, and are expanded if it is taller than they are.
 */
export async function bringIntoView({ selector, budgetMs }: { selector: string; budgetMs: number }): Promise<void> {
  const element = document.querySelector(selector);
  if (!element) return;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + budgetMs;
  const root = document.scrollingElement ?? document.documentElement;
  for (let parent = element.parentElement; parent && parent !== root; parent = parent.parentElement) {
    const clips = getComputedStyle(parent).overflowY !== 'visible' && parent.scrollHeight > parent.clientHeight;
    if (!clips || element.getBoundingClientRect().height <= parent.clientHeight) continue;
    const grown = { height: 'auto', 'max-height': 'none', overflow: 'visible', contain: 'none' };
    for (const [name, value] of Object.entries(grown)) parent.style.setProperty(name, value, 'important');
  }
  element.scrollIntoView({ block: 'start', inline: 'nearest', behavior: 'instant' });
  await frame();
  const bottom = () => element.getBoundingClientRect().bottom;
  while (bottom() > window.innerHeight && performance.now() < end) {
    const before = root.scrollTop;
    root.scrollBy({ top: window.innerHeight, behavior: 'instant' });
    await frame();
    if (root.scrollTop === before) break;
  }
  root.scrollTo({ top: 0, left: 0, behavior: 'instant' });
  await frame();
}

/** Position and size of the first match on the page, CSS pixels; null if it has no size. */
export function placeOf(selector: string): { x: number; y: number; width: number; height: number } | null {
  const { x = 0, y = 0, width = 0, height = 0 } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
  return width > 0 && height > 0 ? { x: x + window.scrollX, y: y + window.scrollY, width, height } : null;
}

export function scrollToTop(): void {
  window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
}
