import { elementsAtMost, hasOwnText } from '../dom/examined.ts';
import { state } from '../state/page-state.ts';

/**
 * Closes the scroller that `openScroller` has expanded if scripts draw only near its top, whatever its height: the rest would be
 * empty. Returns whether the scroller is closed.
 */
export function closeEmptyScroller(): boolean {
  const { scroller } = state;
  const content = scroller?.chain[0];
  if (!scroller || !content || content instanceof HTMLIFrameElement) return false;
  const { top, height } = content.getBoundingClientRect();
  if (height < scroller.height * 3) return false;
  const most = scroller.height * 2.5;
  const isFilled = elementsShownIn(content.shadowRoot ?? content)
    .slice(0, elementsAtMost)
    .some((element) => {
      const box = element.getBoundingClientRect();
      return box.width * box.height > 0 && box.bottom - top > most && isPart(element, box, scroller.height);
    });
  if (isFilled) return false;
  for (const [element, style] of scroller.before) element.style.cssText = style;
  return true;
}

/** Returns the elements below a root, with elements in shadow trees and in slots. */
function elementsShownIn(root: ParentNode): Element[] {
  return [...root.querySelectorAll('*')].flatMap((each) => [
    each,
    ...(each instanceof HTMLSlotElement
      ? each.assignedElements().flatMap((slotted) => [slotted, ...elementsShownIn(slotted)])
      : []),
    ...(each.shadowRoot ? elementsShownIn(each.shadowRoot) : []),
  ]);
}

/** Whether an element shows content: a taller element without text or image is the background of a list. */
function isPart(element: Element, box: DOMRect, windowHeight: number): boolean {
  return (
    box.height < windowHeight * 2 ||
    element.matches('img, svg, canvas, video, iframe, object, embed') ||
    hasOwnText(element)
  );
}
