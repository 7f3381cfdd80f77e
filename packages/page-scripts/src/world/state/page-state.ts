import type { BannersState } from './banners-state.ts';
import type { Changes } from './changes.ts';
import type { ContentCopies } from './content-copies.ts';
import type { Scenes } from './scenes.ts';
import type { Scroller } from './scroller.ts';
import type { TallPageRecords } from './tall-page.ts';

/** The state that page scripts keep about a document between two calls. Each room adds its part here. */
export interface PageState extends TallPageRecords {
  /**
   * The element that `findMatch` chose, by selector. Pages have twins for phones and desktops, and the choice must not change.
   */
  matches?: Map<string, Element>;
  /** The style sheet with the client's `css`, `hide_selectors` and `remove_selectors`. */
  clientSheet?: CSSStyleSheet;
  /** The scroller that fills the window in place of the page, since the page was scrolled through. */
  innerScroller?: Element | null;
  /** The container that was expanded in place of the window. */
  scroller?: Scroller;
  /** Heights of documents in frames of other origins. */
  frameHeights?: WeakMap<Element, number>;
  /** The records of what scripts tie to the scroll position, since the page was scrolled through. */
  scenes?: Scenes;
  /** The copies of the visible content, for reading. */
  content?: ContentCopies;
  banners?: BannersState;
  /** Messages of the consent library that the worker has not fetched. */
  consentMessages?: { messages: unknown[]; wake: () => void; next?: Promise<unknown[]> };
  /** The changes that looks have seen. */
  changes?: Changes;
  /** The number of elements at the last look. */
  elementCount?: number;
  /** Canvases, each with the pixels of a small copy. */
  canvasCopies?: WeakMap<HTMLCanvasElement, string>;
  /** Drawings whose animations were advanced. */
  advancedDrawings?: WeakSet<SVGSVGElement>;
  /** The first console errors and uncaught exceptions. */
  errors?: string[];
  /** Animations that were paused to hold the page. */
  heldAnimations?: Animation[];
}

/** The key is a symbol, because an element with an id is found under its name as a property of the window. */
const key = Symbol.for('capture');

interface World {
  [key]?: { scripts: Record<string, (input: unknown) => unknown>; state: PageState };
}

const world = globalThis as World;
world[key] ??= { scripts: {}, state: {} };

/** The state of this document. All rooms share it. */
export const state: PageState = world[key].state;

/** The scripts of the rooms that are installed in this document, by their names. */
export const { scripts } = world[key];
