/** The records of the steps that prepare a tall page. */
export interface TallPageRecords {
  visitor?: VisitorWindow;
  lengths?: Lengths;
  places?: Place[];
  openings?: Opening[];
  backdrops?: Backdrops;
  pseudos?: Pseudos;
  /** The width of background images as a multiple of their height, by URL, if known. */
  ratios?: Map<string, number>;
  canvasShapes?: CanvasShape[];
  /** The first canvases of the page, each with a copy of its drawing in the visitor's window. */
  drawings?: Map<HTMLCanvasElement, OffscreenCanvas>;
  /** The pixel below the page that can be scrolled to. */
  rest?: HTMLElement;
  /** Fixed elements that fill the window with a canvas, with that canvas. */
  fixedCanvases?: Map<HTMLElement, HTMLCanvasElement>;
  /** Fixed elements that fill the window with an image or a video. */
  fixedPhotos?: Set<HTMLElement>;
  copiedPhotos?: CopiedPhoto[];
  /** What the upper part of the page showed before the window was taller than the page, with the styles that hide and move it. */
  shown?: Map<HTMLElement, Record<string, string>>;
}

/** A document or one of its shadow trees. */
export type Root = Document | ShadowRoot;

/** The visitor's window, as it was before the page was made tall. */
export interface VisitorWindow {
  /** The width of the window, CSS pixels. */
  width: number;
  height: number;
  roots: Root[];
  /** The first elements of all roots. */
  elements: Element[];
}

/** The lengths of style rules and inline styles that depend on the height of the window. */
export interface Lengths {
  /** Restores the lengths of the rules, one change each. */
  undo: (() => void)[];
  /** URLs of the sheets that scripts may not read. */
  unreadable: string[];
  /** Inline styles that scripts may change when the window is resized. */
  inline: { element: HTMLElement | SVGElement; text: string }[];
  /** Whether a style rule starts animations by the scroll position. */
  hasTriggers: boolean;
}

/** An element in front of the page, as it was before scrolling. CSS values are computed. */
export interface Place {
  element: HTMLElement;
  /** CSS pixels from the top of the window, or of the page if the element scrolls. */
  top: number;
  before: {
    top: string;
    height: string;
    marginTop: string;
    marginBottom: string;
    paddingBottom: string;
    bottom: string;
  };
  /** The height of the element's content. */
  content: number;
}

/** A fixed element as tall as the window that is seen through an ancestor, which cuts the element. */
export interface Opening {
  element: HTMLElement;
  through: Element;
  /** The height of the element, CSS pixels. */
  height: number;
}

/** A background as in the computed styles. */
export interface Backdrop {
  image: string;
  size: string;
  position: string;
  repeat: string;
}

/** A background that a pseudo-element shows in the window, with its size there. */
export interface Pseudo {
  element: HTMLElement;
  name: '::before' | '::after';
  top: string;
  width: number;
  height: number;
  backdrop: Backdrop;
  /** The ancestor that cuts the pseudo-element; null if there is none. */
  through: Element | null;
}

export interface Pseudos {
  all: Pseudo[];
  /** The sheet with the rules of the pseudo-elements, in each root. */
  sheets: Map<Root, CSSStyleSheet>;
}

export interface Backdrops {
  /** Elements with a background image that stays while the page scrolls. */
  all: Map<HTMLElement, Backdrop>;
  /** Restores the size of backgrounds that paper shows on every sheet. */
  undo: Map<HTMLElement, () => void>;
}

/** The height of a canvas's bitmap, and of the box that shows the bitmap. */
export interface CanvasShape {
  canvas: HTMLCanvasElement;
  bitmap: number;
  box: number;
}

/** A fixed photo with its copies down a page of this height, CSS pixels. */
export interface CopiedPhoto {
  element: HTMLElement;
  copies: HTMLElement[];
  grown: number;
}
