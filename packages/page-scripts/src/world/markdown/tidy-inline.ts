import { hasText, heading, isBlock, replace } from './tidy-dom.ts';

/** A link around blocks becomes a link in its heading, or around its first text. */
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

/** Emphasis inside of the same emphasis, or directly after it, becomes part of the first. */
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

/** Inline code shows its characters; a link around all of the code goes outside. */
export function flattenCode(code: Element): void {
  const link = code.querySelector('a[href]');
  const text = code.textContent;
  const outer = link?.textContent.trim() === text.trim() ? (link.cloneNode(false) as Element) : null;
  code.textContent = text;
  if (!outer) return;
  code.replaceWith(outer);
  outer.append(code);
}
