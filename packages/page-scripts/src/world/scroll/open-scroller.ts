import { setStyles } from '../dom/styles.ts';
import { state } from '../state/page-state.ts';
import { type Contents, findContent, parentOf } from './find-content.ts';
import { frameHeight } from './frames.ts';
import { putInFlow, roomsOf } from './put-in-flow.ts';

/**
 * Expands the container of a page whose window does not scroll: an application's own scroll container, or, if there is none, a
 * box that hides the rest (pages that are locked under a dialog, or moved by scripts). The box and its ancestors grow to the
 * height of the content.
 */
export function openScroller(): void {
  const { body, documentElement } = document;
  // The page is locked under a dialog.
  if (body && getComputedStyle(body).position === 'fixed') setStyles(body, { position: 'static', top: 'auto' });
  if (documentElement.scrollHeight > window.innerHeight + 50) return;
  const found = findContent();
  const { content, everything } = found;
  if (!content) return;
  const chain = chainFrom(content);
  const lists = everything.filter((each): each is HTMLElement => isSideList(each, content, chain));
  const before = [...chain, ...lists].map((element): [HTMLElement, string] => [element, element.style.cssText]);
  state.scroller = { chain, lists, height: content.clientHeight, before };
  for (const element of chain) if (element === body || element.contains(body)) keepShares(element, chain);
  lists.forEach(keepWithin);
  expand(chain, found, content);
}

function chainFrom(content: Element): HTMLElement[] {
  const chain: HTMLElement[] = [];
  for (let element: Element | null = content; element; element = parentOf(element)) {
    if (element instanceof HTMLElement) chain.push(element);
  }
  return chain;
}

function expand(chain: HTMLElement[], { everything }: Contents, content: Element): void {
  const { body } = document;
  const inFrame = frameHeight(content);
  // Slots have no box.
  const boxes = chain.filter((element) => getComputedStyle(element).display !== 'contents');
  const cutting = boxes.filter(
    (box) => box !== content && !box.contains(body) && /hidden|clip/.test(getComputedStyle(box).overflowY),
  );
  const rooms = roomsOf(boxes);
  for (const element of chain) {
    grow(element);
    if (element === content && inFrame > 0) setStyles(element, { height: `${inFrame}px` });
  }
  for (const [at, box] of boxes.entries()) putInFlow(box, boxes[at + 1], rooms[at] ?? 0);
  if (inFrame > 0) return;
  for (const bar of everything) if (isBarOfWindow(bar, chain)) setStyles(bar, { position: 'fixed' });
  // A closed sheet below a box stays hidden.
  const bottomOf = (element: Element) => element.getBoundingClientRect().bottom;
  for (const box of cutting) if (bottomOf(box) >= bottomOf(content) - 1) setStyles(box, { overflow: 'clip' });
}

function grow(element: HTMLElement): void {
  const { position, overflowX } = getComputedStyle(element);
  // Content that is hidden at the sides stays hidden.
  const isWindow = element === document.body || element === document.documentElement;
  const cutsSides = /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1;
  const hidesSides = (overflowX !== 'visible' && isWindow) || cutsSides || showsOneChild(element);
  setStyles(element, {
    height: 'auto',
    'max-height': 'none',
    contain: 'none',
    bottom: 'auto',
    'overflow-y': 'visible',
    'overflow-x': hidesSides ? 'clip' : 'visible',
    // Fixed elements do not add to the height of the page.
    ...(position === 'fixed' && { position: 'absolute' }),
  });
}

/** Whether an element shows one of several panels side by side, which snap to the window. */
function showsOneChild(element: Element): boolean {
  const [first] = element.children;
  const snaps = /^(x|inline|both) mandatory/.test(getComputedStyle(element).scrollSnapType);
  return snaps && first !== undefined && Math.abs(first.clientWidth - element.clientWidth) < 2;
}

/** Whether an element is a bar at the bottom of the window, outside all boxes, which belongs at the end of the page. */
function isBarOfWindow(element: Element, chain: HTMLElement[]): boolean {
  const { body } = document;
  if (element.parentElement !== body || !(element instanceof HTMLElement) || chain.includes(element)) return false;
  const isOfWindow = getComputedStyle(element).position === 'absolute' && getComputedStyle(body).position === 'static';
  const styles = element.computedStyleMap();
  return isOfWindow && String(styles.get('top')) === 'auto' && String(styles.get('bottom')) !== 'auto';
}

/** Whether an element is a list beside the content with its own scroll bar. */
function isSideList(element: Element, content: Element, chain: HTMLElement[]): boolean {
  const isBeside = !chain.includes(element as HTMLElement) && !content.contains(element);
  if (!isBeside || !(element instanceof HTMLElement) || element.clientHeight < window.innerHeight / 4) return false;
  return element.scrollHeight > element.clientHeight + 5 && /auto|scroll/.test(getComputedStyle(element).overflowY);
}

function keepWithin(list: HTMLElement): void {
  const { offsetWidth: width, offsetHeight: height } = list;
  setStyles(list, {
    width: `${width}px`,
    'min-height': `${height}px`,
    'box-sizing': 'border-box',
    contain: 'size',
  });
}

/** Keeps the height of sections that have a share of the window's height. */
function keepShares(parent: HTMLElement, chain: HTMLElement[]): void {
  for (const child of parent.children) {
    if (!(child instanceof HTMLElement) || chain.includes(child)) continue;
    for (const name of ['height', 'min-height']) {
      if (!String(child.computedStyleMap().get(name)).includes('%')) continue;
      setStyles(child, { [name]: `${child.offsetHeight}px` });
    }
  }
}
