import {
  contains,
  drawnParent,
  hasArea,
  isRendered,
  isShown,
  matches,
  pageBody,
  pageRoot,
  query,
  rect,
  renderedText,
  tagName,
} from '../dom/elements.ts';
import { findButtons, hasName, holdsPage, isPlatform } from './signs.ts';

/** Distinguishes the boxes of banners from the boxes of the page. */

const dialog = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"], :popover-open';

/** Whether the element lies over the page, or says that it is a dialog. */
export function isOverlay(element: Element): boolean {
  if (matches(element, dialog)) return true;
  const { position, zIndex } = getComputedStyle(element);
  return position === 'fixed' || position === 'sticky' || (position === 'absolute' && Number(zIndex) >= 10);
}

export function isRoot(element: Element): boolean {
  return element === pageBody() || element === pageRoot();
}

export function hasChoice(element: Element): boolean {
  const { accept, reject } = findButtons(element);
  return accept.length + reject.length > 0;
}

/** A bar in the page's flow is at the page's top or end; elsewhere a bar is a part of the text. */
export function isBar(element: Element): boolean {
  const { top, bottom, height } = rect(element);
  const isAtEdge = top + scrollY < 200 || bottom + scrollY > pageRoot().scrollHeight - 200;
  if (height > innerHeight * 0.6 || !isAtEdge || matches(element, 'header, footer')) return false;
  for (let each: Element | null = element; each; each = drawnParent(each)) {
    if (matches(each, 'main, article, [role="main"]')) return false;
  }
  return hasChoice(element) || (findButtons(element).other.length > 0 && renderedText(element, 500).length < 400);
}

/**
 * A short bar from side to side at the very top of the page with a button, or at its end with a button that accepts or rejects:
 * a footer has buttons, too.
 */
export function isNotice(element: Element): boolean {
  const { top, bottom, width, height } = rect(element);
  const isAtTop = top + scrollY < 1;
  if (!isAtTop && bottom + scrollY < pageRoot().scrollHeight - 1) return false;
  if (width < innerWidth * 0.9 || height > innerHeight * 0.3 || renderedText(element, 400).length >= 400) return false;
  if (query(element, 'h1, h2, nav').length > 0) return false;
  const { accept, reject, other, links } = findButtons(element);
  return links <= 3 && (accept.length + reject.length > 0 || (isAtTop && other.length > 0));
}

function fillsView(element: Element): boolean {
  const { width, height } = rect(element);
  return width >= innerWidth * 0.9 && height >= innerHeight * 0.9;
}

/** Whether a box is mostly its banner. A full-screen box may be the backdrop of a banner, or the page itself. */
export function isMostlyBanner(box: Element, text: Element, isNamed: boolean): boolean {
  if (!fillsView(box)) return true;
  const isScroller = box.scrollHeight > box.clientHeight * 1.05;
  if (!isNamed && isScroller) return false;
  const card = cardAround(box, text);
  if (!card) return isNamed;
  if (!isNamed && fillsView(card)) {
    const parts = 'header, footer, h1, img, video, canvas, form';
    return renderedText(card, 700).length < 600 && !query(card, parts).some(isRendered);
  }
  return renderedText(card, 9_000).length >= 0.6 * renderedText(box, 9_000).length;
}

/** The innermost element of a box that holds the text and the first button. */
function cardAround(box: Element, text: Element): Element | null {
  const { accept, reject, other } = findButtons(box);
  const button = accept[0] ?? reject[0] ?? other[0];
  let card: Element | null = text;
  while (card && button && card !== box && !contains(card, button)) card = drawnParent(card);
  return card;
}

/** The outermost element that holds the banner and nothing else that a visitor sees. */
export function outermostBox(banner: Element): Element {
  let found = banner;
  const length = renderedText(banner, 30_000).length;
  for (let box = drawnParent(banner), n = 0; box && !isRoot(box) && n < 8; box = drawnParent(box), n += 1) {
    // The root of a consent platform also holds its settings, and draws its backdrop.
    if (isPlatform(box) && !hasArea(box) && !holdsPage(box)) found = box;
    else if (holdsMore(box, banner, length) || matches(box, 'main, article')) break;
    else if (isOverlay(box) || isPlatform(box) || hasName(box, 'banner')) found = box;
  }
  return found;
}

function holdsMore(box: Element, banner: Element, length: number): boolean {
  if (renderedText(box, length + 100).length > length + 40) return true;
  const media = query(box, 'img, video, canvas, iframe, object');
  return media.some((part) => !contains(banner, part) && isRendered(part) && hasArea(part));
}

/** The box over the page that a frame fills, or the frame itself; null if the frame is part of the page. */
export function boxAround(element: Element): Element | null {
  if (!isShown(element)) return null;
  for (let each: Element | null = element, n = 0; each && !isRoot(each) && n < 6; each = drawnParent(each), n += 1) {
    if (isOverlay(each) || hasName(each, 'platform')) return outermostBox(each);
  }
  return tagName(element).includes('-') ? element : null;
}
