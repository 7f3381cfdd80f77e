/// <reference lib="dom" />

/** See `visibility`. */
export type Visibility = ReturnType<typeof visibility>;

/** Finds out what a visitor sees of an element. Part of `look`. */
export function visibility() {
  const opacities = new Map<Element, number>();
  return { inView, isShown, isSeen, opacityOf };

  function inView(element: Element, rect = element.getBoundingClientRect()): boolean {
    const { innerWidth, innerHeight } = element.ownerDocument.defaultView ?? window;
    return rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth;
  }

  function isShown(element: Element): boolean {
    return element.checkVisibility({ opacityProperty: false, visibilityProperty: true, contentVisibilityAuto: true });
  }

  /** Scripts that test variants of a page make it transparent until they have decided. */
  function isSeen(element: Element): boolean {
    return isShown(element) && opacityOf(element) >= 0.05;
  }

  /** With that of its ancestors, up to those of a frame. */
  function opacityOf(element: Element): number {
    const lineage: Element[] = [];
    let next: Element | null | undefined = element;
    while (next && !opacities.has(next) && lineage.length < 500) {
      lineage.push(next);
      next = next.assignedSlot ?? next.parentElement ?? ownerOf(next.getRootNode());
    }
    let opacity = (next && opacities.get(next)) ?? 1;
    for (const each of lineage.reverse()) {
      opacity *= Number(getComputedStyle(each).opacity);
      opacities.set(each, opacity);
    }
    return opacity;
  }

  /** The element that shows a shadow root, or the document of a frame that can be read. */
  function ownerOf(root: Node): Element | null | undefined {
    if (root.nodeType === Node.DOCUMENT_NODE) return (root as Document).defaultView?.frameElement;
    return root.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? (root as ShadowRoot).host : null;
  }
}
