/** The number of characters of an element's text, with white space folded. */
export function textLength(element: Element | null): number {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').length;
}
