/** How many elements of a page are examined. More are far from anything that the window's height decides. */
export const elementsAtMost = 20_000;

/** The first elements in the body, without those in shadow trees. */
export function elementsInBody(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elementsAtMost);
}

/** All elements below a root, with those in open shadow trees. */
export function elementsWithShadows(root: ParentNode): Element[] {
  return [...root.querySelectorAll('*')].flatMap((each) =>
    each.shadowRoot ? [each, ...elementsWithShadows(each.shadowRoot)] : [each],
  );
}

/** The root and, if the document has one, the body. */
export function rootElements(): HTMLElement[] {
  return [document.documentElement, ...(document.body ? [document.body] : [])];
}

/** Whether an element has text outside its child elements. */
export function hasOwnText(element: Element): boolean {
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
}

/** Whether a visitor sees an element, its opacity included. */
export function isShown(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}
