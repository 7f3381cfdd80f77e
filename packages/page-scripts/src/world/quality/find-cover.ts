export interface CoverFacts {
  /** The element that covers most of the view and is no part of the content, as its id, class, role and name; or null. */
  cover: string | null;
}

/** Points of the view at which the uppermost box is looked for. */
const grid = { columns: 9, rows: 7 };

/** Content that lies beneath a box at so many points is covered by the box. */
const leastBeneath = 3;

/** Names of boxes that cover a page. */
const coverNames =
  /(^|[^a-z])(pre-?load(er|ing)?|page-?load(er|ing)?|load(er|ing)(-?(screen|mask|overlay|wrapper))?|spinner|splash(-?screen)?|overlay|backdrop|modal|dialog|popup|cookie|consent|gdpr|cmp|paywall|interstitial|newsletter|lightbox|age-?gate|curtain|scrim|blocker)/i;

/** Names of boxes that are never the page itself. */
const wallNames = /cookie|consent|gdpr|cmp|paywall|newsletter|age-?gate|preload|splash|spinner|popup/i;

/**
 * Looks for a box that covers most of the view: a preloader, the backdrop of a dialog, a cookie wall. Hit tests on a grid find
 * the uppermost box at each point; the box is a cover if it is fixed, or spans the page, and content lies beneath. A layer
 * behind the content is not hit, or has nothing beneath.
 *
 * @param share the part of the view that a cover takes, 0 to 1.
 */
export function findCover({ share }: { share: number }): CoverFacts {
  const view = { width: innerWidth, height: Math.min(innerHeight, 4_320), share };
  return { cover: findModal(view) ?? findHitCover(view) ?? findUntouchable(view) };
}

interface View {
  width: number;
  height: number;
  share: number;
}

function findModal(view: View): string | null {
  for (const dialog of document.querySelectorAll('dialog:modal')) {
    // A hidden dialog has no backdrop, although it is still modal.
    if (!dialog.checkVisibility()) continue;
    const style = getComputedStyle(dialog, '::backdrop');
    const isTinted = hasBackdropFilter(style) || alphaOf(style.backgroundColor) > 0.05;
    if (style.display !== 'none' && (isTinted || covers(dialog, view))) return labelOf(dialog);
  }
  return null;
}

function findHitCover(view: View): string | null {
  for (const [element, { points, beneath }] of hitCovers(view)) {
    if (points < grid.columns * grid.rows * view.share) continue;
    const text = (element.textContent ?? '').length;
    const isNamed = coverNames.test(labelOf(element)) || element.getAttribute('aria-modal') === 'true';
    const parts = [element, ...[...element.querySelectorAll('*')].slice(0, 50).filter((part) => covers(part, view))];
    if (!parts.some(isPainted) || isPage(element, view)) continue;
    const others = (document.body?.textContent ?? '').length - text;
    if (beneath >= leastBeneath && (isNamed || text < others)) return labelOf(element);
    // There is nothing else to see, and the box says that it is a preloader.
    if (isNamed && text < 200 && !element.querySelector('form, article, main, table')) return labelOf(element);
  }
  return null;
}

interface Hits {
  /** Points at which the box is the uppermost, and at which content lies beneath. */
  points: number;
  beneath: number;
}

function hitCovers(view: View): Map<Element, Hits> {
  const hits = new Map<Element, Hits>();
  for (let row = 0; row < grid.rows; row += 1) {
    for (let column = 0; column < grid.columns; column += 1) {
      const [x, y] = [(view.width * (column + 0.5)) / grid.columns, (view.height * (row + 0.5)) / grid.rows];
      const stack = elementsAt(x, y);
      let cover: Element | null = stack[0] ?? null;
      while (cover && !(isOver(cover) && covers(cover, view))) cover = parentOf(cover);
      if (!cover) continue;
      const found = hits.get(cover) ?? { points: 0, beneath: 0 };
      hits.set(cover, found);
      found.points += 1;
      if (hasContentBeneath(cover, stack)) found.beneath += 1;
    }
  }
  return hits;
}

/** The elements at a point, uppermost first, with the elements in shadow roots. */
function elementsAt(x: number, y: number, root: Document | ShadowRoot = document): Element[] {
  return root
    .elementsFromPoint(x, y)
    .filter((element) => element.getRootNode() === root)
    .flatMap((element) => (element.shadowRoot ? [...elementsAt(x, y, element.shadowRoot), element] : [element]));
}

function hasContentBeneath(cover: Element, stack: readonly Element[]): boolean {
  const parent = parentOf(cover);
  return stack.slice(0, 30).some((element) => {
    if (isWithin(element, cover) || isWithin(cover, element) || !hasContent(element)) return false;
    // Slides and pages of an application lie over each other, and look alike.
    let branch: Element = element;
    for (let above = parentOf(branch); above && above !== parent; above = parentOf(branch)) branch = above;
    return lookOf(branch) !== lookOf(cover);
  });
}

function lookOf(element: Element): string {
  return `${element.localName}.${element.getAttribute('class')}`;
}

/** Hit tests do not see boxes without pointer events. */
function findUntouchable(view: View): string | null {
  const outer = document.body?.querySelectorAll(':scope > *, :scope > * > *') ?? [];
  for (const element of [...outer].slice(0, 300)) {
    const style = getComputedStyle(element);
    if (style.pointerEvents !== 'none' || !isOver(element) || !covers(element, view)) continue;
    const isAbove = Number(style.zIndex) > 0 && Number(style.opacity) > 0.5 && style.visibility === 'visible';
    const isOpaque = alphaOf(style.backgroundColor) > 0.5 && style.mixBlendMode === 'normal';
    if (isAbove && isOpaque && coverNames.test(labelOf(element))) return labelOf(element);
  }
  return null;
}

function parentOf(element: Element): Element | null {
  return element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
}

function isWithin(element: Element, other: Element): boolean {
  for (let part: Element | null = element; part; part = parentOf(part)) if (part === other) return true;
  return false;
}

function labelOf(element: Element): string {
  const [id, names, role] = [element.id, element.getAttribute('class') ?? '', element.getAttribute('role') ?? ''];
  return `${id} ${names} ${role} ${element.localName}`.slice(0, 500);
}

/** The opacity of a computed colour, 0 to 1. */
export function alphaOf(color: string): number {
  const parts = color.match(/[\d.]+/g) ?? [];
  return parts.length > 3 ? Number(parts[3]) : parts.length === 3 ? 1 : 0;
}

function hasBackdropFilter({ backdropFilter }: CSSStyleDeclaration): boolean {
  return backdropFilter !== 'none' && backdropFilter !== '';
}

/** Whether the element draws something over what is beneath. */
function isPainted(element: Element): boolean {
  let opacity = 1;
  for (let part: Element | null = element; part; part = parentOf(part))
    opacity *= Number(getComputedStyle(part).opacity);
  const style = getComputedStyle(element);
  const hasImage = style.backgroundImage !== 'none' && style.mixBlendMode === 'normal';
  return opacity > 0.1 && (hasBackdropFilter(style) || hasImage || alphaOf(style.backgroundColor) > 0.1);
}

function covers(element: Element, { width, height, share }: View): boolean {
  const box = element.getBoundingClientRect();
  const w = Math.min(box.right, width) - Math.max(box.left, 0);
  const h = Math.min(box.bottom, height) - Math.max(box.top, 0);
  return w > 0 && h > 0 && (w * h) / (width * height) >= share;
}

/** Whether the element lies over the page: in the top layer, fixed, or placed in the page and not in a part of the page. */
function isOver(element: Element): boolean {
  if (element === document.documentElement || element === document.body) return false;
  const { position } = getComputedStyle(element);
  if (position === 'fixed') return true;
  if (position !== 'absolute') return false;
  const parent = (element as HTMLElement).offsetParent;
  return parent === null || parent === document.body;
}

function hasContent(element: Element): boolean {
  if (/^(img|canvas|video|svg|iframe|input|button)$/.test(element.localName)) return true;
  for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim()) return true;
  return false;
}

/** Whether the element hides all else, and holds what a page holds: a route that an application draws in a layer. */
function isPage(element: Element, { width, height }: View): boolean {
  const box = element.getBoundingClientRect();
  const isFull = box.left <= 0 && box.top <= 0 && box.right >= width * 0.98 && box.bottom >= height * 0.98;
  if (!isFull || alphaOf(getComputedStyle(element).backgroundColor) < 1 || wallNames.test(labelOf(element)))
    return false;
  if (element.matches('[aria-modal="true"], [role$="dialog"]') || !element.querySelector('h1')) return false;
  if (element.querySelector('input:not([type="search"], [type="checkbox"], [type="hidden"])')) return false;
  const isLarge = (media: Element) => {
    const { width: w, height: h } = media.getBoundingClientRect();
    return w * h > width * height * 0.1;
  };
  return [...element.querySelectorAll('img, video, canvas')].some(isLarge) || (element.textContent ?? '').length > 600;
}
