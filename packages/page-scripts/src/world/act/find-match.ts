import { state } from '../state/page-state.ts';

/** The element that a capture shows or clicks. */
export interface ShownMatch {
  element: Element;
  /** The element itself or, if the element has no box (`display: contents`), the first of its contents that has a box. */
  anchor: Element;
  /** In the viewport, CSS pixels. */
  box: DOMRect;
}

/** A box with a size that an element is drawn as. */
interface Part {
  element: Element;
  box: DOMRect;
}

/** How many matches of a selector are examined, and how many nodes of an element without a box. */
const examinedAtMost = 1_000;

/** The first match that a visitor sees; null if there is none. The match stays the same once it was found. */
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
  // Some elements appear only once they are scrolled to.
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
    // The box around a text draws the text.
    const { parentElement: parent } = element;
    return box.width > 0 && box.height > 0 && parent ? [{ element: parent, box }] : [];
  });
}
