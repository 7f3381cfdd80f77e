/** Reads elements through prototypes, because inputs of a form can shadow its properties, and through open shadow roots. */

function getter<T>(prototype: object, name: string): (element: Element) => T {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (element) => get?.call(element) as T;
}

const parentNode = getter<Node | null>(Node.prototype, 'parentNode');
const assignedSlot = getter<Element | null>(Element.prototype, 'assignedSlot');
const childNodes = getter<NodeListOf<ChildNode>>(Node.prototype, 'childNodes');
const bodyOf = getter<HTMLElement | null>(Document.prototype, 'body');
const rootOf = getter<Element>(Document.prototype, 'documentElement');
const page = document as unknown as Element;

export const shadowRoot = getter<ShadowRoot | null>(Element.prototype, 'shadowRoot');
export const inlineStyle = getter<CSSStyleDeclaration>(HTMLElement.prototype, 'style');
export const childElements = getter<HTMLCollection>(Element.prototype, 'children');
export const tagName = getter<string>(Element.prototype, 'localName');

export function pageBody(): HTMLElement | null {
  return bodyOf(page);
}

export function pageRoot(): Element {
  return rootOf(page);
}

export function attribute(element: Element, name: string): string {
  return Element.prototype.getAttribute.call(element, name) ?? '';
}

export function matches(element: Element, selector: string): boolean {
  return Element.prototype.matches.call(element, selector);
}

export function query(root: Node, selector: string): Element[] {
  const { prototype } = [Document, Element, DocumentFragment].find((type) => root instanceof type) ?? Element;
  return [...prototype.querySelectorAll.call(root as Document & Element & DocumentFragment, selector)];
}

function assignedNodes(slot: Element): Node[] {
  return slot instanceof HTMLSlotElement ? HTMLSlotElement.prototype.assignedNodes.call(slot) : [];
}

/** Returns the parent as it is drawn: of an element in a shadow root, the root's host; of a slotted element, the slot. */
export function drawnParent(node: Node): Element | null {
  const slot = node instanceof Element ? assignedSlot(node) : null;
  const parent = slot ?? parentNode(node as Element);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

export function contains(outer: Element, inner: Element): boolean {
  for (let each: Element | null = inner; each; each = drawnParent(each)) if (each === outer) return true;
  return false;
}

export function rect(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}

export function hasArea(element: Element): boolean {
  const { width, height } = rect(element);
  return width > 1 && height > 1;
}

/** Whether the element is rendered; a rendered element may be transparent or outside the viewport. */
export function isRendered(element: Element): boolean {
  if (Element.prototype.checkVisibility.call(element, { visibilityProperty: true })) return true;
  const parent = drawnParent(element);
  // An element with `display: contents` has only the boxes of its children.
  return getComputedStyle(element).display === 'contents' && parent !== null && isRendered(parent);
}

/** Whether a visitor sees the element now, or will when its animation has ended. */
export function isShown(element: Element): boolean {
  if (!isRendered(element)) return false;
  const isTransparent = !Element.prototype.checkVisibility.call(element, { opacityProperty: true });
  return !(isOutside(element) || isTransparent) || isMoving(element);
}

/**
 * Whether the element is outside the page. A fixed element outside the viewport also counts, because scrolling does not show it.
 */
function isOutside(element: Element): boolean {
  const { top, left, bottom, right } = rect(element);
  if (bottom + scrollY <= 0 || right + scrollX <= 0) return true;
  if (top + scrollY >= Math.max(pageRoot().scrollHeight, innerHeight)) return true;
  const isFixed = getComputedStyle(element).position === 'fixed';
  return isFixed && (top >= innerHeight || left >= innerWidth || bottom <= 0);
}

function isMoving(element: Element): boolean {
  const animations = Element.prototype.getAnimations.call(element, { subtree: true });
  return animations.some(({ playState }) => playState !== 'finished');
}

/** Returns all elements below a node, through open shadow roots and slots, up to `limit`. */
export function descendants(root: Node, limit: number): Element[] {
  const found = new Set<Element>();
  const roots: Node[] = [root];
  const follow = (element: Element) => {
    const shadow = shadowRoot(element);
    if (shadow) roots.push(shadow);
    for (const node of assignedNodes(element)) {
      if (!(node instanceof Element) || found.has(node) || found.size >= limit) continue;
      found.add(node);
      roots.push(node);
      follow(node);
    }
  };
  if (root instanceof Element) follow(root);
  for (let next = roots.shift(); next && found.size < limit; next = roots.shift()) {
    for (const element of query(next, '*')) {
      if (found.size >= limit) break;
      if (found.has(element)) continue;
      found.add(element);
      follow(element);
    }
  }
  return [...found];
}

/** Elements whose text is not read as text of the page. */
const silent = new Set(['script', 'style', 'noscript', 'template', 'svg', 'option', 'iframe']);

const nodesOfTextAtMost = 5_000;

/** Returns the rendered text, up to about `limit` characters. */
export function renderedText(element: Element, limit: number): string {
  const parts: string[] = [];
  let length = 0;
  let visited = 0;
  const visit = (node: Node) => {
    if (length > limit || visited > nodesOfTextAtMost) return;
    visited += 1;
    if (node instanceof Text) {
      const text = node.data.slice(0, limit).replace(/\s+/g, ' ').trim();
      if (text === '') return;
      parts.push(text);
      length += text.length;
    } else if (node instanceof Element && !silent.has(tagName(node)) && isRendered(node)) {
      const assigned = assignedNodes(node);
      const children = shadowRoot(node)?.childNodes ?? (assigned.length > 0 ? assigned : childNodes(node));
      for (const child of children) visit(child);
    }
  };
  visit(element);
  return parts.join(' ').slice(0, limit);
}

/** Describes an element by tag, id and classes, like a selector, in at most 80 characters and with identifiers only. */
export function describeElement(element: Element): string {
  const plain = (name: string) => /^[\w-]{1,40}$/.test(name);
  const id = attribute(element, 'id');
  const classes = attribute(element, 'class').split(/\s+/).filter(plain).slice(0, 2);
  const tag = tagName(element)
    .replace(/[^\w-]/g, '')
    .slice(0, 30);
  const parts = [tag, ...(plain(id) ? [`#${id}`] : []), ...classes.map((name) => `.${name}`)];
  return parts.reduce((text, part) => (text.length + part.length <= 80 ? text + part : text), '');
}
