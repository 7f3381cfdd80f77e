/// <reference lib="dom" />
/** Scripts for `runInPage` that find what a selector matches: sent as text, so self-contained; input and result are JSON. */

/** The element that a capture shows or clicks. */
export interface ShownMatch {
  element: Element;
  /** Itself, or, if it has no box of its own (`display: contents`), the first of its contents that has one. */
  anchor: Element;
  /** In the viewport, CSS pixels. */
  box: DOMRect;
}

/** What `waitForMatch` leaves in our world of the document for the scripts after it. */
export interface MatchWorld {
  /** The first match that a visitor sees: pages have twins for phones and desktops. It stays the same once it was found. */
  captureMatch?: (selector: string) => ShownMatch | null;
}

/**
 * Waits until the selector matches an element.
 *
 * @param match.visible only elements that are drawn, with a size, count. Where there is none, `<details>` and elements that
 *   are hidden until found open for a match in them, as for a link to it.
 * @param match.withinMs limit in milliseconds, after which it resolves with false.
 * @throws {SyntaxError} when the selector is invalid.
 */
export async function waitForMatch(match: { selector: string; visible: boolean; withinMs: number }): Promise<boolean> {
  const end = performance.now() + match.withinMs;
  const matchesAtMost = 1_000;
  const chosen = new Map<string, Element>();
  const world = globalThis as MatchWorld;
  world.captureMatch ??= findShown;
  for (;;) {
    const isFound = match.visible
      ? (world.captureMatch(match.selector) ?? (reveal() && world.captureMatch(match.selector)))
      : document.querySelector(match.selector);
    if (isFound) return true;
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }

  function findShown(selector: string): ShownMatch | null {
    const before = chosen.get(selector);
    const known = before?.isConnected ? shown(before) : null;
    if (known) return known;
    let hidden: ShownMatch | null = null;
    for (const element of [...document.querySelectorAll(selector)].slice(0, matchesAtMost)) {
      const found = shown(element);
      if (!found) continue;
      if (getComputedStyle(found.anchor).visibility === 'visible') return choose(found);
      hidden ??= found;
    }
    // Some appear only once they are scrolled to.
    return hidden && choose(hidden);

    function choose(found: ShownMatch): ShownMatch {
      chosen.set(selector, found.element);
      return found;
    }
  }

  function shown(element: Element): ShownMatch | null {
    const parts = partsOf(element);
    const boxes = parts.map((part) => part.box);
    const [first] = parts;
    if (!first) return null;
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
    const right = Math.max(...boxes.map((box) => box.right));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    return { element, anchor: first.element, box: new DOMRect(left, top, right - left, bottom - top) };
  }

  /** The boxes with a size that an element is drawn as. */
  function partsOf(element: Element): { element: Element; box: DOMRect }[] {
    if (getComputedStyle(element).display !== 'contents') {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.height > 0 && element.checkVisibility() ? [{ element, box }] : [];
    }
    const slotted = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
    const nodes = slotted.length > 0 ? slotted : [...(element.shadowRoot ?? element).childNodes];
    return nodes.slice(0, matchesAtMost).flatMap((node) => {
      if (node instanceof Element) return partsOf(node);
      const text = document.createRange();
      text.selectNode(node);
      const box = text.getBoundingClientRect();
      // Text is drawn by the box around it.
      const { parentElement: parent } = element;
      return box.width > 0 && box.height > 0 && parent ? [{ element: parent, box }] : [];
    });
  }

  /** Whether something had to open for the first match. */
  function reveal(): boolean {
    let hasOpened = false;
    const first = document.querySelector(match.selector);
    // An image far below the window that has no size until it is loaded.
    for (const image of first ? [first, ...first.querySelectorAll('img')] : []) {
      if (image instanceof HTMLImageElement && image.loading === 'lazy') image.loading = 'eager';
    }
    for (let each = first; each; each = each.parentElement) {
      const outer = each.parentElement;
      if (each instanceof HTMLElement && each.getAttribute('hidden')?.toLowerCase() === 'until-found') {
        each.removeAttribute('hidden');
        hasOpened = true;
      }
      if (!(outer instanceof HTMLDetailsElement) || outer.open || each === summaryOf(outer)) continue;
      outer.open = true;
      hasOpened = true;
    }
    return hasOpened;
  }

  function summaryOf(details: HTMLDetailsElement): Element | null {
    return details.querySelector(':scope > summary');
  }
}

/** Position and size of the match on the page, CSS pixels; null if it has no size. */
export function placeOf(selector: string): { x: number; y: number; width: number; height: number } | null {
  const box = (globalThis as MatchWorld).captureMatch?.(selector)?.box;
  if (!box) return null;
  return { x: box.x + window.scrollX, y: box.y + window.scrollY, width: box.width, height: box.height };
}
