/** Elements that begin a line. */
export const block =
  'address, article, aside, blockquote, dd, details, div, dl, dt, figcaption, figure, footer, h1, h2, h3, h4, h5, h6, header, hr, li, main, menu, nav, ol, p, pre, section, summary, table, ul';

export const heading = 'h1, h2, h3, h4, h5, h6';

export function isBlock(node: Node): boolean {
  return node instanceof Element && (node.matches(block) || node.querySelector(block) !== null);
}

export function hasText(node: Node): boolean {
  return /\S/.test(node.textContent ?? '');
}

/** Nodes are appended one by one: a call takes a hundred thousand arguments at most. */
export function make(copy: Document, name: string, content: Iterable<Node> = []): Element {
  const element = copy.createElement(name);
  for (const node of [...content]) element.append(node);
  return element;
}

export function replace(element: Element, content: Iterable<Node | string>): void {
  for (const node of [...content]) element.before(node);
  element.remove();
}
