/** Whether a part of an element lies in the window, or in the window of the element's frame. */
export function inView(element: Element, rect = element.getBoundingClientRect()): boolean {
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView ?? window;
  return rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth;
}

/** Whether an element is drawn, even if its opacity is 0. */
export function isShown(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: false, visibilityProperty: true, contentVisibilityAuto: true });
}
