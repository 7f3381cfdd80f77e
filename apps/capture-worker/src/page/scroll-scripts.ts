/// <reference lib="dom" />
/** Scripts for `runInPage` that scroll: each is sent as text, so it must be self-contained; input and result are JSON. */

import type { MatchWorld } from './match-scripts.ts';

/** What `openScroller` leaves in our world. */
interface ExpandedWorld {
  /** The scroller and its ancestors. */
  captureExpanded?: HTMLElement[];
  /** The scroller's own height, and the inline styles of all that has changed. */
  captureOpened?: { height: number; before: [HTMLElement, string][] };
  /** Heights of documents in frames of other origins. */
  captureFrames?: WeakMap<Element, number>;
}

/**
 * Scrolls the window, then the large scrollers in it, down by one viewport per frame and back to the top, so that lazy content
 * has been in view. Returns the height of the page, and that of the content of the scroller that fills the window in place
 * of the page, if there is one; it is remembered for `scrollInner`.
 *
 * @param limits.budgetMs stops scrolling after this, milliseconds.
 * @param limits.followedViewports how many viewports to scroll in a page that grows while it is scrolled.
 */
export async function scrollThrough(limits: {
  budgetMs: number;
  followedViewports: number;
  maxScrollers: number;
  maxCanvases: number;
}): Promise<{ height: number; inner: number | null }> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + limits.budgetMs;
  const scrollDown = async (scroller: Element, step: number) => {
    const before = scroller.scrollTop;
    const bottom = Math.max(scroller.scrollHeight, step * limits.followedViewports);
    for (let top = 0; top < Math.min(scroller.scrollHeight, bottom) && performance.now() < end; top += step) {
      // `instant`: with smooth scrolling each step would start before the last one has ended.
      scroller.scrollTo({ top, behavior: 'instant' });
      await frame();
      if (scroller === root) watching.look();
    }
    return before;
  };
  const root = document.scrollingElement ?? document.documentElement;
  const watching = watchScenes();
  await scrollDown(root, window.innerHeight);
  root.scrollTo({ top: 0, behavior: 'instant' });
  await frame();
  watching.end();

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
  const fills = ({ clientWidth, clientHeight }: Element) =>
    clientHeight > window.innerHeight / 2 && clientWidth > window.innerWidth / 2;
  const scrolls = root.scrollHeight > window.innerHeight + 50;
  const inner = scrolls ? null : scrollers.filter(fills).toSorted((a, b) => b.scrollHeight - a.scrollHeight)[0];
  (globalThis as { captureInner?: Element | null }).captureInner = inner ?? null;
  return { height: root.scrollHeight, inner: inner?.scrollHeight ?? null };

  /** Remembers what scripts change meanwhile; see `findScenes`. */
  function watchScenes(): { look: () => void; end: () => void } {
    const scrolled = new Set<Element>();
    const texts = new Map<Element, string>();
    const canvases = new Map<HTMLCanvasElement, { before: number[]; hasChanged: boolean }>();
    const small = new OffscreenCanvas(16, 16).getContext('2d', { willReadFrequently: true });
    /** A few pixels of a canvas; null if it cannot be read. */
    const sample = (canvas: HTMLCanvasElement): number[] | null => {
      try {
        small?.clearRect(0, 0, 16, 16);
        small?.drawImage(canvas, 0, 0, 16, 16);
        return [...(small?.getImageData(0, 0, 16, 16).data ?? [])];
      } catch {
        return null;
      }
    };
    const isNear = (one: number[], other: number[] | null) =>
      other !== null && one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) < one.length * 2;
    for (const canvas of [...document.querySelectorAll('canvas')].slice(0, limits.maxCanvases)) {
      const before = canvas.offsetWidth * canvas.offsetHeight < 20_000 ? null : sample(canvas);
      if (before) canvases.set(canvas, { before, hasChanged: false });
    }
    const observer = new MutationObserver((records) => {
      for (const { target, type, oldValue, removedNodes } of records) {
        if (type === 'attributes') {
          if (scrolled.size < 500) scrolled.add(target as Element);
          continue;
        }
        const element = target instanceof Element ? target : target.parentElement;
        const before = oldValue ?? [...removedNodes].map(({ textContent }) => textContent).join('');
        const isText = element && element.childElementCount === 0 && before.trim() !== '';
        if (isText && texts.size < 200 && !texts.has(element)) texts.set(element, before);
      }
    });
    const changes = { childList: true, characterData: true, characterDataOldValue: true, attributeFilter: ['style'] };
    observer.observe(document, { subtree: true, ...changes });
    const scenes = { scrolled, looks: new Map(), texts, canvases, sample, isNear };
    (globalThis as { captureScenes?: object }).captureScenes = scenes;
    return {
      look() {
        for (const [canvas, state] of canvases) {
          const { top, bottom } = canvas.getBoundingClientRect();
          const isInView = top < window.innerHeight && bottom > 0;
          if (isInView && !state.hasChanged) state.hasChanged = !isNear(state.before, sample(canvas));
        }
      },
      end: () => observer.disconnect(),
    };
  }
}

/**
 * Turns the mouse wheel by `deltaY` CSS pixels, down at the end of the page, where some feeds load more, or up at its top.
 * Returns the height of the page.
 */
export async function turnWheel({ deltaY }: { deltaY: number }): Promise<number> {
  const root = document.scrollingElement ?? document.documentElement;
  root.scrollTo({ top: deltaY > 0 ? root.scrollHeight : 0, behavior: 'instant' });
  const [clientX, clientY] = [window.innerWidth / 2, window.innerHeight / 2];
  const { body, documentElement } = document;
  // Scripts that scroll a locked page themselves would leave it anywhere. On the body: a map would zoom.
  const isLocked = [documentElement, body].some((each) => each && getComputedStyle(each).overflowY === 'hidden');
  const turn = new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX, clientY, deltaY });
  if (!isLocked) (body ?? documentElement).dispatchEvent(turn);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return root.scrollHeight;
}

/**
 * Scrolls the scroller that fills the window down to its end, where some feeds load more, or up to its top if `deltaY` is
 * negative. Returns the height of its content.
 */
export async function scrollInner({ deltaY }: { deltaY: number }): Promise<number> {
  const { captureInner: inner } = globalThis as { captureInner?: Element | null };
  inner?.scrollTo({ top: deltaY > 0 ? inner.scrollHeight : 0, behavior: 'instant' });
  // Observers are notified in the next frame.
  for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  return inner?.scrollHeight ?? 0;
}

/** Whether a frame fills the window whose document a script in the page cannot read. */
export function hasForeignFrame(): boolean {
  const isForeign = (frame: HTMLIFrameElement) =>
    frame.clientHeight >= window.innerHeight * 0.9 &&
    frame.clientWidth >= window.innerWidth * 0.9 &&
    frame.contentDocument === null;
  return [...document.querySelectorAll('iframe')].some(isForeign);
}

/** The height of a document that scrolls, CSS pixels; else 0. */
export function scrollRange(): number {
  const { clientHeight = 0, scrollHeight = 0 } = document.scrollingElement ?? {};
  return scrollHeight > clientHeight + 50 ? scrollHeight : 0;
}

/** Notes the height of the document in a frame, for `openScroller`. */
export function noteFrameHeight(frame: Element, height: number): void {
  const world = globalThis as ExpandedWorld;
  world.captureFrames ??= new WeakMap();
  world.captureFrames.set(frame, height);
}

/**
 * Expands what holds the content of a page whose window does not scroll: an application's own scroll container, or, if there
 * is none, a box that hides the rest (pages that are locked under a dialog, or moved by scripts). It and its ancestors grow
 * to the height of its content.
 */
export function openScroller(): void {
  const { body } = document;
  // Locked under a dialog.
  if (body && getComputedStyle(body).position === 'fixed') {
    for (const [name, value] of Object.entries({ position: 'static', top: 'auto' })) {
      body.style.setProperty(name, value, 'important');
    }
  }
  if (document.documentElement.scrollHeight > window.innerHeight + 50) return;
  const fills = ({ scrollHeight, clientHeight, clientWidth }: Element) =>
    scrollHeight > clientHeight + 50 && clientHeight > window.innerHeight / 2 && clientWidth > window.innerWidth / 2;
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each]));
  const everything = all(document).slice(0, 20_000);
  const elements = everything.filter(fills);
  const isAll = ({ clientWidth, clientHeight }: Element) =>
    clientHeight >= window.innerHeight * 0.9 && clientWidth >= window.innerWidth * 0.9;
  const tallest = (overflow: RegExp, candidates = elements) => {
    const matching = candidates.filter((element) => overflow.test(getComputedStyle(element).overflowY));
    return matching.toSorted((one, other) => other.scrollHeight - one.scrollHeight)[0] ?? null;
  };
  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  const chain: HTMLElement[] = [];
  // Scripts move it instead of scrolling; a fixed box does not add to what its parent could show.
  const isMoved = (element: Element) =>
    element.clientHeight > window.innerHeight + 50 && isAll(element) && getComputedStyle(element).position === 'fixed';
  const frame = everything.find((each) => frameHeight(each) > 0) ?? null;
  const content =
    tallest(/auto|scroll/) ??
    frame ??
    tallest(
      /hidden|clip/,
      elements.filter((element) => isAll(element) && hidesContent(element)),
    ) ??
    everything.find(isMoved) ??
    null;
  for (let element = content; element; element = parentOf(element)) {
    if (element instanceof HTMLElement) chain.push(element);
  }
  const world = globalThis as ExpandedWorld;
  world.captureExpanded = chain;
  const lists = everything.filter(isSideList).map((each) => each as HTMLElement);
  const before = [...chain, ...lists].map((element): [HTMLElement, string] => [element, element.style.cssText]);
  if (content) world.captureOpened = { height: content.clientHeight, before };
  chain.filter((element) => element === body || element.contains(body)).forEach(keepShares);
  lists.forEach(keepWithin);
  const inFrame = content ? frameHeight(content) : 0;
  for (const element of chain) {
    const { position, overflowX } = getComputedStyle(element);
    const grown = { height: 'auto', 'max-height': 'none', contain: 'none', bottom: 'auto', 'overflow-y': 'visible' };
    // What is hidden at the sides of the window stays hidden.
    const hidesSides = overflowX !== 'visible' && (element === body || element === document.documentElement);
    Object.assign(grown, { 'overflow-x': hidesSides ? 'clip' : 'visible' });
    for (const [name, value] of Object.entries(grown)) element.style.setProperty(name, value, 'important');
    if (element === content && inFrame > 0) element.style.setProperty('height', `${inFrame}px`, 'important');
    // Fixed elements do not add to the height of the page.
    if (position === 'fixed') element.style.setProperty('position', 'absolute', 'important');
  }

  /** Whether a box cuts something below it that is not hidden anyway, as the next slides of a presentation are. */
  function hidesContent(box: Element): boolean {
    const { bottom, left, right } = box.getBoundingClientRect();
    return everything.some((each) => {
      const rect = each.getBoundingClientRect();
      const isBelow =
        rect.bottom > bottom + 50 && rect.left < right && rect.right > left && rect.width * rect.height > 0;
      const isHidden = () =>
        each.closest('[aria-hidden="true"]') || !each.checkVisibility({ visibilityProperty: true });
      return isBelow && each.childElementCount === 0 && box.contains(each) && !isHidden();
    });
  }

  /** The height of the document in a frame that fills the window and scrolls; else 0. */
  function frameHeight(element: Element): number {
    if (!(element instanceof HTMLIFrameElement) || !isAll(element)) return 0;
    const noted = (globalThis as ExpandedWorld).captureFrames?.get(element);
    if (noted !== undefined) return noted;
    const { clientHeight = 0, scrollHeight = 0 } = element.contentDocument?.scrollingElement ?? {};
    return scrollHeight > clientHeight + 50 ? scrollHeight : 0;
  }

  /** A list beside the content that scrolls by itself. */
  function isSideList(element: Element): boolean {
    const isBeside = content && !chain.includes(element as HTMLElement) && !content.contains(element);
    if (!isBeside || !(element instanceof HTMLElement) || element.clientHeight < window.innerHeight / 4) return false;
    return element.scrollHeight > element.clientHeight + 5 && /auto|scroll/.test(getComputedStyle(element).overflowY);
  }

  /** It gets as tall as the content, and no taller. */
  function keepWithin(list: HTMLElement): void {
    const { offsetWidth: width, offsetHeight: height } = list;
    const kept = { width: `${width}px`, 'min-height': `${height}px`, 'box-sizing': 'border-box', contain: 'size' };
    for (const [name, value] of Object.entries(kept)) list.style.setProperty(name, value, 'important');
  }

  /** Sections whose height is a share of the window's keep it. */
  function keepShares(parent: HTMLElement): void {
    for (const child of parent.children) {
      if (!(child instanceof HTMLElement) || chain.includes(child)) continue;
      for (const name of ['height', 'min-height']) {
        if (!String(child.computedStyleMap().get(name)).includes('%')) continue;
        child.style.setProperty(name, `${child.offsetHeight}px`, 'important');
      }
    }
  }
}

/**
 * Closes the scroller that `openScroller` has expanded if scripts draw only what is near its top, whatever its height: the
 * rest would be empty. Returns whether it has.
 */
export function closeEmptyScroller(): boolean {
  const { captureExpanded: [content] = [], captureOpened: opened } = globalThis as ExpandedWorld;
  if (!content || !opened || content instanceof HTMLIFrameElement) return false;
  const { top, height } = content.getBoundingClientRect();
  const own = opened.height;
  if (height < own * 3) return false;
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each instanceof HTMLSlotElement
        ? each.assignedElements().flatMap((slotted) => [slotted, ...all(slotted)])
        : []),
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ]);
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  // What is taller, and has nothing of its own, is the ground of a list.
  const isPart = (element: Element, box: DOMRect) =>
    box.height < own * 2 || element.matches('img, svg, canvas, video, iframe, object, embed') || hasText(element);
  const most = own * 2.5;
  const isFilled = all(content.shadowRoot ?? content)
    .slice(0, 20_000)
    .some((element) => {
      const box = element.getBoundingClientRect();
      return box.width * box.height > 0 && box.bottom - top > most && isPart(element, box);
    });
  if (isFilled) return false;
  for (const [element, style] of opened.before) element.style.cssText = style;
  return true;
}

/**
 * Scrolls to an element, through it if it is taller than the window, and then the window back to the top. The element's
 * scrolling ancestors stay where they show it, and are expanded if it is taller than they are.
 */
export async function bringIntoView({ selector, budgetMs }: { selector: string; budgetMs: number }): Promise<void> {
  const { captureMatch: find } = globalThis as MatchWorld;
  const element = find?.(selector)?.anchor;
  if (!element) return;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + budgetMs;
  const root = document.scrollingElement ?? document.documentElement;
  for (let parent = element.parentElement; parent && parent !== root; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent);
    const { width, height } = element.getBoundingClientRect();
    const isTaller =
      overflowY !== 'visible' && parent.scrollHeight > parent.clientHeight && height > parent.clientHeight;
    // Scripts move what is wider than a box that cannot be scrolled: the slides of a carousel.
    const isWider =
      /auto|scroll/.test(overflowX) && parent.scrollWidth > parent.clientWidth && width > parent.clientWidth;
    if (!isTaller && !isWider) continue;
    const grown = { 'max-height': 'none', overflow: 'visible', contain: 'none', ...(isTaller && { height: 'auto' }) };
    for (const [name, value] of Object.entries(grown)) parent.style.setProperty(name, value, 'important');
  }
  element.scrollIntoView({ block: 'start', inline: 'nearest', behavior: 'instant' });
  await frame();
  const bottom = () => find?.(selector)?.box.bottom ?? 0;
  while (bottom() > window.innerHeight && performance.now() < end) {
    const before = root.scrollTop;
    root.scrollBy({ top: window.innerHeight, behavior: 'instant' });
    await frame();
    if (root.scrollTop === before) break;
  }
  root.scrollTo({ top: 0, left: 0, behavior: 'instant' });
  await frame();
}

/** Scrolls the window to its right end, one viewport per frame, and back, so that what is beside the viewport has been in view. */
export async function scrollAcross({ budgetMs }: { budgetMs: number }): Promise<void> {
  const root = document.scrollingElement ?? document.documentElement;
  const end = performance.now() + budgetMs;
  for (let left = window.innerWidth; left < root.scrollWidth && performance.now() < end; left += window.innerWidth) {
    root.scrollTo({ left, behavior: 'instant' });
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  root.scrollTo({ left: 0, behavior: 'instant' });
}

export function scrollToTop(): void {
  window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
}
