import {
  attribute,
  childElements,
  describeElement,
  drawnParent,
  inlineStyle,
  isRendered,
  pageBody,
  pageRoot,
  query,
  rect,
  renderedText,
  shadowRoot,
  tagName,
} from '../dom/elements.ts';
import { isRoot } from './boxes.ts';
import { hasName } from './signs.ts';

/** Hides banners, and undoes what banners did to the page behind them. Returns descriptions of the hidden elements. */
export function hideBoxes(banners: readonly Element[]): string[] {
  const hidden: Element[] = [];
  for (const banner of banners) {
    const { height } = rect(banner);
    set(banner, 'display', 'none');
    hidden.push(banner);
    for (const layer of findBackdrops(banner)) {
      set(layer, 'display', 'none');
      hidden.push(layer);
    }
    restorePage(height);
  }
  if (banners.length > 0) {
    hidePseudoLayers();
    unlockScrolling();
  }
  return hidden.map(describeElement);
}

function set(element: Element, name: string, value: string): void {
  if (element instanceof HTMLElement) inlineStyle(element).setProperty(name, value, 'important');
}

/** Whether the element is a layer over the page without content. */
function isLayer(element: Element): boolean {
  return (
    !isRoot(element) &&
    isRendered(element) &&
    ['fixed', 'absolute'].includes(getComputedStyle(element).position) &&
    coversView(element) &&
    renderedText(element, 50).length < 10 &&
    !query(element, 'img, video, canvas, iframe, object, svg').some(isRendered)
  );
}

function coversView(element: Element): boolean {
  const { left, top, right, bottom } = rect(element);
  return left <= 1 && top <= 1 && right >= innerWidth - 1 && bottom >= innerHeight - 1;
}

function isTinted(element: Element, pseudo?: string): boolean {
  const { backgroundColor, backdropFilter, opacity, backgroundImage } = getComputedStyle(element, pseudo);
  const alpha = Number(/^rgba\(.*, ([\d.]+)\)$/.exec(backgroundColor)?.[1] ?? 1) * Number(opacity);
  return backdropFilter !== 'none' || (backgroundImage === 'none' && alpha > 0.02 && alpha < 0.99);
}

/** Layers that belonged to the banner: its siblings, or the layers that are now in front of everything. */
function findBackdrops(banner: Element): Element[] {
  const found = new Set<Element>();
  for (let each: Element | null = banner, n = 0; each && n < 3; each = drawnParent(each), n += 1) {
    for (const sibling of siblingsOf(each)) if (isLayer(sibling) && isBackdrop(sibling)) found.add(sibling);
  }
  for (let n = 0; n < 3; n += 1) {
    const front = frontElement();
    if (!front || found.has(front) || !isLayer(front) || !isTinted(front)) break;
    found.add(front);
    set(front, 'display', 'none');
  }
  return [...found];
}

function siblingsOf(element: Element): Element[] {
  const parent = drawnParent(element);
  return parent ? [...(shadowRoot(parent)?.children ?? childElements(parent))] : [];
}

function isBackdrop(layer: Element): boolean {
  if (hasName(layer, 'platform') || hasName(layer, 'topic')) return true;
  return isTinted(layer) && hasName(layer, 'backdrop');
}

/** The element that is in front at the centre of the view and at three of four points around the centre; null if none is. */
function frontElement(): Element | null {
  const points = [
    [0.5, 0.5],
    [0.3, 0.3],
    [0.7, 0.3],
    [0.3, 0.7],
    [0.7, 0.7],
  ] as const;
  const hits = points.map(([x, y]) =>
    Document.prototype.elementFromPoint.call(document, innerWidth * x, innerHeight * y),
  );
  const front = hits[0] ?? null;
  return hits.filter((hit) => hit === front).length >= 4 ? front : null;
}

/** Undoes what keeps the page from scrolling, if the page then scrolls. */
function unlockScrolling(): void {
  const roots = [pageRoot(), pageBody()].filter((root) => root !== null);
  const before = roots.map((root) => attribute(root, 'style'));
  if (!roots.some(isLocked)) return;
  for (const root of roots) unlock(root);
  if (pageRoot().scrollHeight > innerHeight + 1) return;
  for (const [index, root] of roots.entries()) Element.prototype.setAttribute.call(root, 'style', before[index] ?? '');
}

function isLocked(root: Element): boolean {
  const { overflowY, position } = getComputedStyle(root);
  return /hidden|clip/.test(overflowY) || position === 'fixed';
}

function unlock(root: Element): void {
  const { overflowY, position } = getComputedStyle(root);
  if (/hidden|clip/.test(overflowY)) set(root, 'overflow-y', 'visible');
  if (position === 'fixed') {
    set(root, 'position', 'static');
    set(root, 'top', 'auto');
    set(root, 'width', 'auto');
  }
  // Scripts add the width of a scrollbar while the scrollbar is hidden.
  if (Number.parseFloat(inlineStyle(root).paddingRight) <= 20) set(root, 'padding-right', '0');
}

/** Hides layers that are drawn by `html::before` and the like. */
function hidePseudoLayers(): void {
  for (const root of [pageRoot(), pageBody()]) {
    if (!root) continue;
    for (const pseudo of ['::before', '::after']) {
      if (!isPseudoLayer(root, pseudo)) continue;
      const sheet = new CSSStyleSheet();
      sheet.insertRule(`${tagName(root)}${pseudo} { display: none !important }`);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    }
  }
}

function isPseudoLayer(root: Element, pseudo: string): boolean {
  const { content, position, width, height } = getComputedStyle(root, pseudo);
  const isLarge = Number.parseFloat(width) >= innerWidth - 1 && Number.parseFloat(height) >= innerHeight - 1;
  return content !== 'none' && ['fixed', 'absolute'].includes(position) && isLarge && isTinted(root, pseudo);
}

/** Shows what is behind the banner: blurred content, and the room that scripts made for a bar of this height. */
function restorePage(height: number): void {
  const body = pageBody();
  if (!body) return;
  const outer = [pageRoot(), body, ...childElements(body)].slice(0, 50);
  const behind = [...outer, ...outer.slice(2).flatMap((element) => [...childElements(element)].slice(0, 50))];
  for (const element of behind) {
    const isBlurred = /blur\(/.test(getComputedStyle(element).filter) && rect(element).width > innerWidth / 2;
    if (isBlurred) set(element, 'filter', 'none');
  }
  for (const root of [pageRoot(), body]) {
    for (const name of ['padding-top', 'padding-bottom', 'margin-top', 'margin-bottom']) {
      const room = Number.parseFloat(inlineStyle(root).getPropertyValue(name));
      if (height > 20 && Math.abs(room - height) <= 2) set(root, name, '0');
    }
  }
}
