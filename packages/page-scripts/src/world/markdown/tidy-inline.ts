import { hasText, heading, isBlock, replace } from './tidy-dom.ts';

/** Moves a link around blocks into its heading, or around its first text. */
export function moveLinkInside(copy: Document, link: Element): void {
  const within = [...link.querySelectorAll(heading)].find(hasText) ?? link;
  const texts = copy.createTreeWalker(within, NodeFilter.SHOW_TEXT, (node) =>
    hasText(node) && !node.parentElement?.closest('pre') ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
  );
  let first: Node | null = texts.nextNode() ?? link.querySelector('img');
  while (first?.parentElement && first.parentElement !== link && !isBlock(first.parentElement)) {
    first = first.parentElement;
  }
  if (first) {
    const inner = link.cloneNode(false) as Element;
    first.parentNode?.insertBefore(inner, first);
    while (inner.nextSibling && !isBlock(inner.nextSibling)) inner.append(inner.nextSibling);
  }
  replace(link, link.childNodes);
}

/** Merges emphasis inside of the same emphasis, or directly after it, into the first. */
export function mergeEmphasis(element: Element, kind: string): void {
  if (element.parentElement?.closest(kind)) {
    replace(element, element.childNodes);
    return;
  }
  for (let next = element.nextSibling; next instanceof Element && next.matches(kind); next = element.nextSibling) {
    for (const node of [...next.childNodes]) element.append(node);
    next.remove();
  }
}

/** Makes inline code show its characters, and moves a link around all of the code outside. */
export function flattenCode(code: Element): void {
  const link = code.querySelector('a[href]');
  const text = code.textContent;
  const outer = link?.textContent.trim() === text.trim() ? (link.cloneNode(false) as Element) : null;
  code.textContent = text;
  if (!outer) return;
  code.replaceWith(outer);
  outer.append(code);
}
