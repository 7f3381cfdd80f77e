/** Whether a part of an element lies in the window, or in the window of the frame that the element is in. */
export function inView(element: Element, rect = element.getBoundingClientRect()): boolean {
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView ?? window;
  return rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth;
}

/** Whether an element is drawn, if also without any opacity. */
export function isShown(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: false, visibilityProperty: true, contentVisibilityAuto: true });
}
