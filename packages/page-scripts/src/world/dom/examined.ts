/** How many elements of a page are examined. The window's height hardly decides about later elements. */
export const elementsAtMost = 20_000;

/** Returns the first elements in the body, without elements in shadow trees. */
export function elementsInBody(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elementsAtMost);
}

/** Returns all elements below a root, with elements in open shadow trees. */
export function elementsWithShadows(root: ParentNode): Element[] {
  return [...root.querySelectorAll('*')].flatMap((each) =>
    each.shadowRoot ? [each, ...elementsWithShadows(each.shadowRoot)] : [each],
  );
}

export function rootElements(): HTMLElement[] {
  return [document.documentElement, ...(document.body ? [document.body] : [])];
}

/** Whether an element has text outside its child elements. */
export function hasOwnText(element: Element): boolean {
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
}

/** Whether a visitor sees an element, considering its opacity. */
export function isShown(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}
