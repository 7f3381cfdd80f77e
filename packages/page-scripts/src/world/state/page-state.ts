import type { Scenes } from './scenes.ts';
import type { Scroller } from './scroller.ts';
import type {
  Backdrops,
  CanvasShape,
  CopiedPhoto,
  Lengths,
  Opening,
  Place,
  Pseudos,
  VisitorWindow,
} from './tall-page.ts';

/**
 * Everything that our scripts remember about a document between two calls. Each room adds its part here, so that a reader sees
 * all of it.
 */
export interface PageState {
  /** By selector, the element that `findMatch` chose: pages have twins for phones and desktops, and the choice must not change. */
  matches?: Map<string, Element>;
  /** The style sheet with the client's `css`, `hide_selectors` and `remove_selectors`. */
  clientSheet?: CSSStyleSheet;

  /** The scroller that fills the window in place of the page, since the page was scrolled through. */
  innerScroller?: Element | null;
  /** The container that was expanded in place of the window. */
  scroller?: Scroller;
  /** Heights of documents in frames of other origins. */
  frameHeights?: WeakMap<Element, number>;
  /** What is tied to the scroll position, since the page was scrolled through. */
  scenes?: Scenes;

  // The rest are records of the steps that prepare a tall page.
  visitor?: VisitorWindow;
  lengths?: Lengths;
  places?: Place[];
  openings?: Opening[];
  backdrops?: Backdrops;
  pseudos?: Pseudos;
  /** The width of background images as a multiple of their height, by URL, if it is known. */
  ratios?: Map<string, number>;
  canvasShapes?: CanvasShape[];
  /** The first canvases of the page, each with a copy of what it shows in the visitor's window. */
  drawings?: Map<HTMLCanvasElement, OffscreenCanvas>;
  /** The pixel below the page. */
  rest?: HTMLElement;
  /** Fixed elements that fill the window with a canvas, and that canvas. */
  fixedCanvases?: Map<HTMLElement, HTMLCanvasElement>;
  /** Fixed elements that fill the window with an image or a video. */
  fixedPhotos?: Set<HTMLElement>;
  copiedPhotos?: CopiedPhoto[];
  /** What the upper part of the page showed before the window was taller than the page, with the styles that hide and move it. */
  shown?: Map<HTMLElement, Record<string, string>>;
}

/** A symbol, because an element with an id would be found under its name as a property of the window. */
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
