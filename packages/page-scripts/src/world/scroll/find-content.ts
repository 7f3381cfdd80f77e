import { elementsAtMost, elementsWithShadows } from '../dom/examined.ts';
import { fillsWindow, frameHeight } from './frames.ts';

/** The elements of a page whose window does not scroll, and the element that holds its content. */
export interface Contents {
  everything: Element[];
  content: Element | null;
}

/**
 * Finds an application's own scroll container or, if there is none, a frame, a box that hides the rest of its content, a box that
 * scripts move, or one of several panes side by side.
 */
export function findContent(): Contents {
  const everything = elementsWithShadows(document).slice(0, elementsAtMost);
  const panes = everything.filter(scrolls);
  const wide = panes.filter(({ clientWidth }) => clientWidth > window.innerWidth / 2);
  const content =
    tallest(wide, /auto|scroll/) ??
    everything.find((each) => frameHeight(each) > 0) ??
    tallest(
      wide.filter((element) => fillsWindow(element) && hidesContent(element, everything)),
      /hidden|clip/,
    ) ??
    everything.find(isMoved) ??
    // The page of a dialog fits the window.
    tallest(
      panes.filter((pane) => !isOverPage(pane)),
      /auto|scroll/,
    );
  return { everything, content };
}

function scrolls({ scrollHeight, clientHeight, clientWidth }: Element): boolean {
  return (
    scrollHeight > clientHeight + 50 && clientHeight > window.innerHeight / 2 && clientWidth > window.innerWidth * 0.3
  );
}

function tallest(candidates: Element[], overflow: RegExp): Element | null {
  const matching = candidates.filter((element) => overflow.test(getComputedStyle(element).overflowY));
  return matching.toSorted((one, other) => other.scrollHeight - one.scrollHeight)[0] ?? null;
}

/** Whether a box cuts content below it that is not hidden for another reason, as the next slides of a presentation are. */
function hidesContent(box: Element, everything: Element[]): boolean {
  const { bottom, left, right } = box.getBoundingClientRect();
  return everything.some((each) => {
    const rect = each.getBoundingClientRect();
    const isBelow = rect.bottom > bottom + 50 && rect.left < right && rect.right > left && rect.width * rect.height > 0;
    const isHidden = () => each.closest('[aria-hidden="true"]') || !each.checkVisibility({ visibilityProperty: true });
    return isBelow && each.childElementCount === 0 && box.contains(each) && !isHidden();
  });
}

/** Whether scripts move a box instead of scrolling; a fixed box does not add to the height of its parent's content. */
function isMoved(element: Element): boolean {
  return (
    element.clientHeight > window.innerHeight + 50 &&
    fillsWindow(element) &&
    getComputedStyle(element).position === 'fixed'
  );
}

/** Whether an element is in a dialog, or in a panel that covers a part of the page. */
function isOverPage(element: Element): boolean {
  for (let each: Element | null = element; each && each !== document.body; each = parentOf(each)) {
    if (each.matches('dialog, [role="dialog"], [aria-modal="true"]')) return true;
    if (getComputedStyle(each).position === 'fixed') return true;
  }
  return false;
}

/** Returns the element in which an element is drawn, also across a shadow root. */
export function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
