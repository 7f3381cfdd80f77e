import type { ScheduledWork } from '../../document-start/track-work/scheduled-work.ts';
import { findRoots, type Root, select } from '../dom/page-roots.ts';
import { readWork } from '../dom/page-work.ts';
import { isShown } from '../dom/visibility.ts';
import type { LookInput } from './look-input.ts';

/** The page at the moment of a look. All facts of that look are read from the glance. */
export class Glance {
  readonly input: LookInput;
  /** The document, its shadow roots, and the readable documents of its frames. */
  readonly roots: Root[];
  readonly work: ScheduledWork;
  readonly #opacities = new Map<Element, number>();

  constructor(input: LookInput) {
    this.input = input;
    this.roots = findRoots(input.workEvent);
    this.work = readWork(this.roots, input.workEvent);
  }

  /** Whether the page's scripts have scheduled a timer or a frame. */
  get isAtWork(): boolean {
    return this.work.loops || this.work.timers.length > 0;
  }

  /** All elements that match a selector, in all roots. */
  all<Found extends Element = Element>(selector: string): Found[] {
    return this.roots.flatMap((root) => select(root, selector)) as Found[];
  }

  /** Whether a visitor sees an element. Scripts that test variants of a page make it transparent until they have decided. */
  isSeen(element: Element): boolean {
    return isShown(element) && this.opacityOf(element) >= 0.05;
  }

  /** Returns the opacity of an element with that of its ancestors, up to the ancestors of its frame. */
  opacityOf(element: Element): number {
    const lineage: Element[] = [];
    let next: Element | null | undefined = element;
    while (next && !this.#opacities.has(next) && lineage.length < 500) {
      lineage.push(next);
      next = next.assignedSlot ?? next.parentElement ?? ownerOf(next.getRootNode());
    }
    let opacity = (next && this.#opacities.get(next)) ?? 1;
    for (const each of lineage.reverse()) {
      opacity *= Number(getComputedStyle(each).opacity);
      this.#opacities.set(each, opacity);
    }
    return opacity;
  }
}

/** Returns the element that shows a shadow root, or the readable document of a frame. */
function ownerOf(root: Node): Element | null | undefined {
  if (root.nodeType === Node.DOCUMENT_NODE) return (root as Document).defaultView?.frameElement;
  return root.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? (root as ShadowRoot).host : null;
}
