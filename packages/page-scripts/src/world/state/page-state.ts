import type { Changes } from './changes.ts';

/**
 * Everything that our scripts remember about a document between two calls. Each room adds its part here, so that a reader sees
 * all of it.
 */
export interface PageState {
  /** By selector, the element that `findMatch` chose: pages have twins for phones and desktops, and the choice must not change. */
  matches?: Map<string, Element>;
  /** The style sheet with the client's `css`, `hide_selectors` and `remove_selectors`. */
  clientSheet?: CSSStyleSheet;
  /** What looks have seen change. */
  changes?: Changes;
  /** How many elements the page had at the last look. */
  elementCount?: number;
  /** Canvases, each with the pixels of a small copy. */
  canvasCopies?: WeakMap<HTMLCanvasElement, string>;
  /** Drawings whose own animations were advanced. */
  advancedDrawings?: WeakSet<SVGSVGElement>;
  /** The first console errors and uncaught exceptions. */
  errors?: string[];
  /** Animations that were paused to hold the page. */
  heldAnimations?: Animation[];
}

/** A symbol, because an element with an id would be found under its name as a property of the window. */
const key = Symbol.for('capture');

interface World {
  [key]?: { scripts: object; state: PageState };
}

const world = globalThis as World;
world[key] ??= { scripts: {}, state: {} };

/** The state of this document. All rooms share it. */
export const state: PageState = world[key].state;
