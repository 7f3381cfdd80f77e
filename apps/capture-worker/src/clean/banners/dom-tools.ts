/// <reference lib="dom" />

/** See `domTools`. */
export type DomTools = ReturnType<typeof domTools>;

/**
 * Reads a page's elements through the prototypes, because a form's inputs can shadow its properties by their names, and
 * through open shadow roots. Runs in the page, as text (see `bannerScript`).
 */
export function domTools() {
  type Getter<T> = (element: Element) => T;
  const getter = <T>(prototype: object, name: string): Getter<T> => {
    const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
    return (element) => get?.call(element) as T;
  };
  const parentNode = getter<Node | null>(Node.prototype, 'parentNode');
  const shadowRoot = getter<ShadowRoot | null>(Element.prototype, 'shadowRoot');
  const assignedSlot = getter<Element | null>(Element.prototype, 'assignedSlot');
  const assignedNodes = (slot: Element): Node[] =>
    slot instanceof HTMLSlotElement ? HTMLSlotElement.prototype.assignedNodes.call(slot) : [];
  const childNodes = getter<NodeListOf<ChildNode>>(Node.prototype, 'childNodes');
  const styleOf = getter<CSSStyleDeclaration>(HTMLElement.prototype, 'style');
  const childrenOf = getter<HTMLCollection>(Element.prototype, 'children');
  const nameOf = getter<string>(Element.prototype, 'localName');
  const bodyOf = getter<HTMLElement | null>(Document.prototype, 'body');
  const rootOf = getter<Element>(Document.prototype, 'documentElement');
  const page = document as unknown as Element;

  const attribute = (element: Element, name: string): string =>
    Element.prototype.getAttribute.call(element, name) ?? '';
  const matches = (element: Element, selector: string): boolean => Element.prototype.matches.call(element, selector);
  const query = (root: Node, selector: string): Element[] => {
    const { prototype } = [Document, Element, DocumentFragment].find((type) => root instanceof type) ?? Element;
    return [...prototype.querySelectorAll.call(root as Document & Element & DocumentFragment, selector)];
  };

  /** The parent as it is drawn: of an element in a shadow root, the root's host; of a slotted element, the slot. */
  const parentOf = (node: Node): Element | null => {
    const slot = node instanceof Element ? assignedSlot(node) : null;
    const parent = slot ?? parentNode(node as Element);
    if (parent instanceof ShadowRoot) return parent.host;
    return parent instanceof Element ? parent : null;
  };
  const contains = (outer: Element, inner: Element): boolean => {
    for (let each: Element | null = inner; each; each = parentOf(each)) if (each === outer) return true;
    return false;
  };
  const rectOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);
  const hasArea = (element: Element): boolean => {
    const { width, height } = rectOf(element);
    return width > 1 && height > 1;
  };
  /** Whether it is rendered; it may be transparent or outside the viewport. */
  const isRendered = (element: Element): boolean => {
    if (Element.prototype.checkVisibility.call(element, { visibilityProperty: true })) return true;
    const parent = parentOf(element);
    // It has no box of its own, only those of its children.
    return getComputedStyle(element).display === 'contents' && parent !== null && isRendered(parent);
  };
  const isMoving = (element: Element): boolean =>
    Element.prototype.getAnimations.call(element, { subtree: true }).some(({ playState }) => playState !== 'finished');
  /** Whether a visitor sees it now, or will when its animation has ended. A fixed element may be larger than its parent. */
  const isShown = (element: Element): boolean => {
    if (!isRendered(element)) return false;
    const { top, left, bottom, right } = rectOf(element);
    const area = rootOf(page);
    const isOutside =
      bottom + scrollY <= 0 ||
      right + scrollX <= 0 ||
      (getComputedStyle(element).position === 'fixed' && (top >= innerHeight || left >= innerWidth || bottom <= 0)) ||
      top + scrollY >= Math.max(area.scrollHeight, innerHeight);
    const isTransparent = !Element.prototype.checkVisibility.call(element, { opacityProperty: true });
    return !(isOutside || isTransparent) || isMoving(element);
  };

  /** All elements below a node, through open shadow roots and slots, up to `limit`. */
  const descendants = (root: Node, limit: number): Element[] => {
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
  };

  const silent = new Set(['script', 'style', 'noscript', 'template', 'svg', 'option', 'iframe']);
  /** The text that is rendered, up to about `limit` characters. */
  const textOf = (element: Element, limit: number): string => {
    const parts: string[] = [];
    let length = 0;
    let visited = 0;
    const visit = (node: Node) => {
      if (length > limit || visited > 5_000) return;
      visited += 1;
      if (node instanceof Text) {
        const text = node.data.slice(0, limit).replace(/\s+/g, ' ');
        if (text.trim() === '') return;
        parts.push(text.trim());
        length += text.length;
      } else if (node instanceof Element && !silent.has(nameOf(node)) && isRendered(node)) {
        const assigned = assignedNodes(node);
        const children = shadowRoot(node)?.childNodes ?? (assigned.length > 0 ? assigned : childNodes(node));
        for (const child of children) visit(child);
      }
    };
    visit(element);
    return parts.join(' ').slice(0, limit);
  };

  /** Tag, id and classes, like a selector: at most 80 characters, of the page's names only what is an identifier. */
  const describe = (element: Element): string => {
    const plain = (name: string) => /^[\w-]{1,40}$/.test(name);
    const id = attribute(element, 'id');
    const classes = attribute(element, 'class').split(/\s+/).filter(plain).slice(0, 2);
    const parts = [
      nameOf(element)
        .replace(/[^\w-]/g, '')
        .slice(0, 30),
      ...(plain(id) ? [`#${id}`] : []),
      ...classes.map((name) => `.${name}`),
    ];
    return parts.reduce((text, part) => (text.length + part.length <= 80 ? text + part : text), '');
  };

  return {
    attribute,
    matches,
    query,
    parentOf,
    contains,
    rectOf,
    hasArea,
    isRendered,
    isShown,
    descendants,
    textOf,
    describe,
    styleOf,
    childrenOf,
    nameOf,
    body: () => bodyOf(page),
    root: () => rootOf(page),
    shadowRoot,
  };
}
