/// <reference lib="dom" />
/**
 * Scripts for `runInPage` that expand what scrolls in place of the window: each is sent as text, so it must be
 * self-contained; input and result are JSON.
 */

/** What `openScroller` leaves in our world. */
export interface ExpandedWorld {
  /** The scroller and its ancestors. */
  captureExpanded?: HTMLElement[];
  /** The scroller's own height, and the inline styles of all that has changed. */
  captureOpened?: { height: number; before: [HTMLElement, string][] };
  /** Lists beside the scroller that scroll by themselves. */
  captureLists?: HTMLElement[];
  /** Heights of documents in frames of other origins. */
  captureFrames?: WeakMap<Element, number>;
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
  const scrolls = ({ scrollHeight, clientHeight, clientWidth }: Element) =>
    scrollHeight > clientHeight + 50 && clientHeight > window.innerHeight / 2 && clientWidth > window.innerWidth * 0.3;
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? [each, ...all(each.shadowRoot)] : [each]));
  const everything = all(document).slice(0, 20_000);
  const panes = everything.filter(scrolls);
  const elements = panes.filter(({ clientWidth }) => clientWidth > window.innerWidth / 2);
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
    // Panes side by side; not a dialog, whose page fits the window.
    tallest(
      /auto|scroll/,
      panes.filter((pane) => !isOverPage(pane)),
    ) ??
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
  world.captureLists = lists;
  const inFrame = content ? frameHeight(content) : 0;
  // Slots have no box.
  const boxes = chain.filter((element) => getComputedStyle(element).display !== 'contents');
  const cutting = boxes.filter(
    (box) => box !== content && !box.contains(body) && /hidden|clip/.test(getComputedStyle(box).overflowY),
  );
  const bottomAround = (box: HTMLElement | undefined) => (!box || box === body ? window.innerHeight : bottomOf(box));
  const rooms = boxes.map((element, at) => bottomAround(boxes[at + 1]) - bottomOf(element));
  for (const element of chain) {
    const { position, overflowX } = getComputedStyle(element);
    const grown = { height: 'auto', 'max-height': 'none', contain: 'none', bottom: 'auto', 'overflow-y': 'visible' };
    // What is hidden at the sides stays hidden.
    const isWindow = element === body || element === document.documentElement;
    const cutsSides = /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1;
    const hidesSides = (overflowX !== 'visible' && isWindow) || cutsSides || showsOneChild(element);
    Object.assign(grown, { 'overflow-x': hidesSides ? 'clip' : 'visible' });
    for (const [name, value] of Object.entries(grown)) element.style.setProperty(name, value, 'important');
    if (element === content && inFrame > 0) element.style.setProperty('height', `${inFrame}px`, 'important');
    // Fixed elements do not add to the height of the page.
    if (position === 'fixed') element.style.setProperty('position', 'absolute', 'important');
  }
  boxes.forEach(putInFlow);
  if (content && inFrame === 0) {
    for (const bar of everything) if (isBarOfWindow(bar)) bar.style.setProperty('position', 'fixed', 'important');
    // What was hidden below a box stays hidden: a closed sheet.
    for (const box of cutting) {
      if (bottomOf(box) >= bottomOf(content) - 1) box.style.setProperty('overflow', 'clip', 'important');
    }
  }

  /** What is placed absolutely does not make its parent taller: a bar below it would be at the top. */
  function putInFlow(child: HTMLElement, at: number): void {
    const [parent, room = 0] = [boxes[at + 1], rooms[at]];
    if (!parent || child.contains(body) || getComputedStyle(child).position !== 'absolute') return;
    const before = child.getBoundingClientRect();
    if (bottomOf(parent) > before.bottom + room - 1) return;
    const inFlow = { position: 'relative', inset: 'auto', 'margin-bottom': `${Math.max(room, 0)}px` };
    for (const [name, value] of Object.entries(inFlow)) child.style.setProperty(name, value, 'important');
    // The margins of its content stay within it, and its own within its parent.
    for (const box of [child, parent]) {
      if (getComputedStyle(box).display === 'block') box.style.setProperty('display', 'flow-root', 'important');
    }
    const { x, y, width } = child.getBoundingClientRect();
    if (Math.abs(width - before.width) > 1) child.style.setProperty('width', `${before.width}px`, 'important');
    const { marginLeft, marginTop } = getComputedStyle(child);
    child.style.setProperty('margin-left', `${Number.parseFloat(marginLeft) + before.x - x}px`, 'important');
    child.style.setProperty('margin-top', `${Number.parseFloat(marginTop) + before.y - y}px`, 'important');
  }

  /** A bar at the bottom of the window that no box holds: the end of the page is its place, as of a fixed one. */
  function isBarOfWindow(element: Element): element is HTMLElement {
    if (element.parentElement !== body || !(element instanceof HTMLElement) || chain.includes(element)) return false;
    const { position } = getComputedStyle(element);
    const isOfWindow = position === 'absolute' && getComputedStyle(element.parentElement).position === 'static';
    const styles = element.computedStyleMap();
    return isOfWindow && String(styles.get('top')) === 'auto' && String(styles.get('bottom')) !== 'auto';
  }

  function bottomOf(element: Element): number {
    return element.getBoundingClientRect().bottom;
  }

  /** Panels side by side that snap to the window: a visitor sees one at a time. */
  function showsOneChild(element: Element): boolean {
    const [first] = element.children;
    const snaps = /^(x|inline|both) mandatory/.test(getComputedStyle(element).scrollSnapType);
    return snaps && first !== undefined && Math.abs(first.clientWidth - element.clientWidth) < 2;
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

  /** A dialog, or a panel that covers a part of the page. */
  function isOverPage(element: Element): boolean {
    for (let each: Element | null = element; each && each !== body; each = parentOf(each)) {
      if (each.matches('dialog, [role="dialog"], [aria-modal="true"]')) return true;
      if (getComputedStyle(each).position === 'fixed') return true;
    }
    return false;
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
