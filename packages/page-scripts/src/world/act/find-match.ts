import { state } from '../state/page-state.ts';

/** The element that a capture shows or clicks. */
export interface ShownMatch {
  element: Element;
  /** The element itself or, if the element has no box (`display: contents`), the first of its contents that has a box. */
  anchor: Element;
  /** The box of the anchor in the viewport, in CSS pixels. */
  box: DOMRect;
}

/** An element, and a box with a size in which the element is drawn. */
interface Part {
  element: Element;
  box: DOMRect;
}

/** The maximum number of matches of a selector that are examined, and of nodes in an element without a box. */
const examinedAtMost = 1_000;

/** Returns the first match that a visitor sees; null if there is none. Later calls return the same match. */
export function findMatch(selector: string): ShownMatch | null {
  state.matches ??= new Map();
  const before = state.matches.get(selector);
  const known = before?.isConnected ? shownMatch(before) : null;
  if (known) return known;
  const found = findShown(selector);
  if (found) state.matches.set(selector, found.element);
  return found;
}

function findShown(selector: string): ShownMatch | null {
  let hidden: ShownMatch | null = null;
  for (const element of [...document.querySelectorAll(selector)].slice(0, examinedAtMost)) {
    const found = shownMatch(element);
    if (!found) continue;
    if (getComputedStyle(found.anchor).visibility === 'visible') return found;
    hidden ??= found;
  }
  // A hidden element may appear once the page has scrolled to it.
  return hidden;
}

function shownMatch(element: Element): ShownMatch | null {
  const parts = partsOf(element);
  const boxes = parts.map((part) => part.box);
  const [first] = parts;
  if (!first) return null;
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return { element, anchor: first.element, box: new DOMRect(left, top, right - left, bottom - top) };
}

function partsOf(element: Element): Part[] {
  if (getComputedStyle(element).display !== 'contents') {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility() ? [{ element, box }] : [];
  }
  const slotted = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
  const nodes = slotted.length > 0 ? slotted : [...(element.shadowRoot ?? element).childNodes];
  return nodes.slice(0, examinedAtMost).flatMap((node) => {
    if (node instanceof Element) return partsOf(node);
    const text = document.createRange();
    text.selectNode(node);
    const box = text.getBoundingClientRect();
    const { parentElement: parent } = element;
    return box.width > 0 && box.height > 0 && parent ? [{ element: parent, box }] : [];
  });
}
