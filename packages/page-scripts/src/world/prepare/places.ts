import { setStyles } from '../dom/styles.ts';
import { state } from '../state/page-state.ts';
import type { Place } from '../state/tall-page.ts';
import { holderOf, isAnchored } from './holders.ts';
import { canvasIn, coversContent, hasPhoto, isCoveredBelow, showsImage, stretch } from './layers.ts';
import { forEachHtmlElement } from './visitor-window.ts';

/** Records where the visitor's window shows the elements in front of the page. */
export function recordPlaces(): void {
  if (!state.visitor || state.places) return;
  state.places = [];
  state.openings = [];
  forEachHtmlElement(recordPlace);
}

function recordPlace(element: HTMLElement): void {
  const style = getComputedStyle(element);
  const held = style.position === 'fixed' ? holderOf(element.parentElement) : null;
  const isFixed = style.position === 'fixed' && !held;
  if (isFixed && isAnchored(style)) return;
  if (held?.cuts && element.offsetHeight >= window.innerHeight * 0.95) {
    state.openings?.push({ element, through: held.holder, height: element.offsetHeight });
  }
  if (!isFixed && !isOnScreen(element, style)) return;
  const rect = element.getBoundingClientRect();
  if (rect.width === 0 || rect.height === 0) return;
  const { top, height, marginTop, marginBottom, paddingBottom, bottom } = style;
  state.places?.push({
    element,
    top: rect.top + (isFixed ? 0 : window.scrollY),
    before: { top, height, marginTop, marginBottom, paddingBottom, bottom },
    content: element.scrollHeight,
  });
}

/** Whether an element is placed by the end, the middle or the height of the first screen, which grows. */
function isOnScreen(element: HTMLElement, { position }: CSSStyleDeclaration): boolean {
  if (position !== 'absolute' || (element.offsetParent && element.offsetParent !== document.body)) return false;
  const roots = [document.documentElement, document.body];
  if (roots.some((each) => getComputedStyle(each).position !== 'static')) return false;
  const map = element.computedStyleMap();
  const [top, bottom, height] = ['top', 'bottom', 'height'].map((name) => String(map.get(name)));
  return /%|stretch|fill/.test(`${top} ${height}`) || bottom !== 'auto';
}

/**
 * Puts elements back in their place after the viewport has grown. A background that filled the window fills the page, a bar at
 * the window's end moves to the end of the page, and everything else stays where it was on the first screen.
 */
export function applyPlaces(): void {
  const { visitor } = state;
  if (!visitor) return;
  state.fixedCanvases ??= new Map();
  state.fixedPhotos ??= new Set();
  for (const each of state.places ?? []) {
    try {
      if (each.element.isConnected) place(each, visitor.height);
    } catch {
      // A form whose controls hide its properties stays as it is.
    }
  }
}

function place(each: Place, windowHeight: number): void {
  const { element, top, before } = each;
  const { position } = getComputedStyle(element);
  const isFixed = position === 'fixed';
  const { height } = before;
  const beforeHeight = Number.parseFloat(height);
  // No visitor sees a closed panel below or beside the window, but a wider page would show the panel.
  const isBelow = isFixed && Math.min(top, element.getBoundingClientRect().top) >= windowHeight - 1;
  if (isBelow || (isFixed && isBeside(element))) {
    setStyles(element, { 'clip-path': 'inset(100%)' });
  } else if (isFixed && hasRoom(element)) {
    setStyles(element, { position: 'relative', top: '0px', left: '0px', bottom: 'auto', height });
  } else if (isFixed && isFromEnd(element) && Number.parseFloat(before.bottom) < windowHeight * 0.3) {
    // The bar goes to the end of the page, and stays as tall as it was.
    const isTaller = element.getBoundingClientRect().height - beforeHeight > 1;
    setStyles(element, { bottom: before.bottom, ...(isTaller && { height, 'min-height': '0' }) });
  } else if (isFixed && coversWindow(element, top, beforeHeight, windowHeight)) {
    placeLayer(each, windowHeight);
  } else {
    putBack(each, isFixed, windowHeight);
  }
}

/** Whether an element is a closed panel beside the window. */
function isBeside(element: HTMLElement): boolean {
  const { left, right } = element.getBoundingClientRect();
  return right <= 0 || left >= window.innerWidth;
}

/** Whether a script holds an element in the window during scrolling, and keeps its room in the page: a pinned scene. */
function hasRoom(element: HTMLElement): boolean {
  const { parentElement: parent } = element;
  if (!parent || parent === document.body || parent.childNodes.length > 1) return false;
  const room = parent.getBoundingClientRect();
  const { top, width, height } = element.getBoundingClientRect();
  const isSame = Math.abs(room.top - top) < 2 && Math.abs(room.width - width) < 2;
  return isSame && getComputedStyle(parent).position === 'relative' && room.height > height + 100;
}

function isFromEnd(element: HTMLElement): boolean {
  const map = element.computedStyleMap();
  return String(map.get('top')) === 'auto' && String(map.get('bottom')) !== 'auto';
}

function coversWindow(element: HTMLElement, top: number, height: number, windowHeight: number): boolean {
  return element.offsetWidth >= window.innerWidth * 0.95 && height >= windowHeight * 0.95 && Math.abs(top) < 2;
}

/** Lets a layer fill the page; a curtain, a canvas or a photo stays on the first screen, and is repeated later. */
function placeLayer({ element, before, content }: Place, windowHeight: number): void {
  const { top, height, paddingBottom } = before;
  const beforeHeight = Number.parseFloat(height);
  const canvas = canvasIn(element);
  const isCurtain = showsImage(element) && isCoveredBelow(element);
  if (canvas && !isCurtain) state.fixedCanvases?.set(element, canvas);
  const isPage = Math.max(content, beforeHeight) > windowHeight * 1.5;
  const isPhoto = !canvas && !isCurtain && !isPage && hasPhoto(element);
  state.fixedPhotos?.[isPhoto ? 'add' : 'delete'](element);
  if (canvas || isCurtain) setStyles(element, { bottom: 'auto', top, height });
  else if (isPhoto) setStyles(element, { bottom: 'auto', top, height, 'min-height': '0' });
  else stretch(element, { height: beforeHeight, padding: Number.parseFloat(paddingBottom) });
}

/** Undoes moves and stretching that the height of the window caused. */
function putBack({ element, top, before }: Place, isFixed: boolean, windowHeight: number): void {
  const { height } = before;
  const rect = element.getBoundingClientRect();
  const hasMoved = Math.abs(rect.top + (isFixed ? 0 : window.scrollY) - top) > 1;
  const taller = rect.height - Number.parseFloat(height);
  const hasGrown = taller > 1 && Math.abs(taller - (window.innerHeight - windowHeight)) < 2;
  if (hasMoved) {
    const margins = { 'margin-top': before.marginTop, 'margin-bottom': before.marginBottom };
    setStyles(element, { top: before.top, bottom: 'auto', height, ...margins });
  } else if (hasGrown && (!isFixed || coversContent(element, rect))) {
    setStyles(element, { bottom: 'auto', height });
  }
}

/** Centres elements that are seen through an opening, as in the visitor's window. */
export function applyOpenings(): void {
  for (const { element, through, height } of state.openings ?? []) {
    // Scripts that move the element know its place.
    if (getComputedStyle(element).transform !== 'none') continue;
    const { top, height: opening } = through.getBoundingClientRect();
    setStyles(element, { top: `${top + (opening - height) / 2}px`, bottom: 'auto', height: `${height}px` });
  }
}
