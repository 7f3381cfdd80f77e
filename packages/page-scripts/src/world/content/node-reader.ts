/** Reads properties through their prototypes: the fields of a form can replace the form's own properties. */

export function childrenOf(node: Node): Iterable<Node> {
  return Reflect.get(Node.prototype, 'childNodes', node);
}

export function textOf(node: Node): string {
  return Reflect.get(Node.prototype, 'textContent', node) ?? '';
}

export function attributeOf(element: Element, name: string): string {
  return Element.prototype.getAttribute.call(element, name) ?? '';
}

export function matches(element: Element, selectors: string): boolean {
  return Element.prototype.matches.call(element, selectors);
}

export function find(element: Element, selectors: string): Element | null {
  return Element.prototype.querySelector.call(element, selectors);
}
