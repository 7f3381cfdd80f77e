/// <reference lib="dom" />
/**
 * What scrolls in pages (`runInPage`): each function is sent as text, so it sees nothing of what is around it here, and
 * it takes and gives JSON.
 */

/**
 * Scrolls down by one viewport a frame, so that what waits to come into view has been in view, and back to the top: the
 * window, then the large scrollers within it.
 *
 * @param limits.budgetMs then the rest is left, milliseconds.
 * @param limits.followedViewports how many viewports down a page is followed that grows meanwhile.
 */
export async function scrollThrough(limits: {
  budgetMs: number;
  followedViewports: number;
  scrollersAtMost: number;
}): Promise<void> {
  // Sections that are left out while they are out of view would be left out of the picture.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { content-visibility: visible !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + limits.budgetMs;
  const through = async (scroller: Element, step: number) => {
    const before = scroller.scrollTop;
    const bottom = Math.max(scroller.scrollHeight, step * limits.followedViewports);
    for (let top = 0; top < Math.min(scroller.scrollHeight, bottom) && performance.now() < end; top += step) {
      // `instant`: where the page scrolls smoothly, each step would begin where the one before had got to.
      scroller.scrollTo({ top, behavior: 'instant' });
      await frame();
    }
    return before;
  };
  const root = document.scrollingElement ?? document.documentElement;
  await through(root, window.innerHeight);
  root.scrollTo({ top: 0, behavior: 'instant' });
  await frame();

  // A list of three lines in a corner is seen as it is; what scrolls a good part of the screen is the page's content.
  const isLarge = (element: Element) =>
    element.scrollHeight > element.clientHeight + 50 &&
    element.clientHeight > window.innerHeight / 4 &&
    element.clientWidth > window.innerWidth / 4 &&
    /auto|scroll/.test(getComputedStyle(element).overflowY);
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each]));
  const scrollers = all(root).filter(isLarge).slice(0, limits.scrollersAtMost);
  for (const scroller of scrollers) {
    const top = await through(scroller, scroller.clientHeight);
    scroller.scrollTo({ top, behavior: 'instant' });
    await frame();
  }
}

/**
 * Opens what hides the most of a page behind scroll bars of its own: the one scroller that fills the window of an
 * application, where the window itself does not scroll. It and what is around it grow to the height of its content.
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
  const around = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  for (let element = tallest; element; element = around(element)) {
    if (!(element instanceof HTMLElement)) continue;
    const { position } = getComputedStyle(element);
    const grown = { height: 'auto', 'max-height': 'none', overflow: 'visible', contain: 'none', bottom: 'auto' };
    for (const [name, value] of Object.entries(grown)) element.style.setProperty(name, value, 'important');
    // What is fixed adds nothing to the height of the page.
    if (position === 'fixed') element.style.setProperty('position', 'absolute', 'important');
  }
}

/**
 * Scrolls to an element, through it where it is taller than the window, and the window back to its top; the scrollers
 * around the element stay where they show it, opened where it is larger than they are.
 */
export async function bringIntoView({ selector, budgetMs }: { selector: string; budgetMs: number }): Promise<void> {
  const element = document.querySelector(selector);
  if (!element) return;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + budgetMs;
  const root = document.scrollingElement ?? document.documentElement;
  for (let around = element.parentElement; around && around !== root; around = around.parentElement) {
    const clips = getComputedStyle(around).overflowY !== 'visible' && around.scrollHeight > around.clientHeight;
    if (!clips || element.getBoundingClientRect().height <= around.clientHeight) continue;
    const grown = { height: 'auto', 'max-height': 'none', overflow: 'visible', contain: 'none' };
    for (const [name, value] of Object.entries(grown)) around.style.setProperty(name, value, 'important');
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

/** Where the first match lies on the page, CSS pixels; null if it takes up no room. */
export function placeOf(selector: string): { x: number; y: number; width: number; height: number } | null {
  const { x = 0, y = 0, width = 0, height = 0 } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
  return width > 0 && height > 0 ? { x: x + window.scrollX, y: y + window.scrollY, width, height } : null;
}

export function scrollToTop(): void {
  window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
}
