/// <reference lib="dom" />

/** See `nodeReader`. */
export type NodeReader = ReturnType<typeof nodeReader>;

/** Reads properties through their prototypes: a form's own may be its fields. Part of `copyContent`. */
export function nodeReader() {
  return { childrenOf, textOf, attributeOf, matches, find, absolute };

  function childrenOf(node: Node): Iterable<Node> {
    return Reflect.get(Node.prototype, 'childNodes', node);
  }

  function textOf(node: Node): string {
    return Reflect.get(Node.prototype, 'textContent', node) ?? '';
  }

  function attributeOf(element: Element, name: string): string {
    return Element.prototype.getAttribute.call(element, name) ?? '';
  }

  function matches(element: Element, selectors: string): boolean {
    return Element.prototype.matches.call(element, selectors);
  }

  function find(element: Element, selectors: string): Element | null {
    return Element.prototype.querySelector.call(element, selectors);
  }

  /** An absolute URL; empty if it leads nowhere. */
  function absolute(url: string, base: string): string {
    try {
      const { protocol, href } = new URL(url.trim(), base);
      return /^(https?|mailto|tel|ftp):$/.test(protocol) ? href : '';
    } catch {
      return '';
    }
  }
}
