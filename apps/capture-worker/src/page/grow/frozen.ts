/// <reference lib="dom" />

export interface FreezeInput {
  /** How many elements are examined. */
  elements: number;
  /** How long the sizes of fixed background images are waited for, milliseconds. */
  imagesWithinMs: number;
}

/** A background as the styles say it, computed. */
export interface Backdrop {
  image: string;
  size: string;
  position: string;
  repeat: string;
}

/** What `freezePage` remembers for the functions after it. */
export interface Frozen {
  height: number;
  /** The inline style of an element, also of a form with a control of the name `style`. */
  styleOf: (element: Element) => CSSStyleDeclaration;
  /** Undoes what the style rules were changed to. */
  undo: (() => void)[];
  /** Elements in front of the page, with their place when nothing is scrolled, and the height of what is in them. */
  placed: { element: HTMLElement; top: number; before: string[]; content: number }[];
  /** Fixed elements as tall as the window that show through an ancestor which cuts them, with their height. */
  windows: { element: HTMLElement; through: Element; height: number }[];
  /** Elements with a background image that stays while the page scrolls. */
  backdrops: Map<HTMLElement, Backdrop>;
  /** Backgrounds that pseudo-elements show in the window, with their size in it, and the ancestor that cuts them. */
  pseudos: {
    element: HTMLElement;
    name: '::before' | '::after';
    top: string;
    width: number;
    height: number;
    backdrop: Backdrop;
    through: Element | null;
  }[];
  /** The rules for these, in each document and shadow root. */
  sheets: Map<Document | ShadowRoot, CSSStyleSheet>;
  /** The width of background images as a multiple of their height, by URL, if it is known. */
  ratios: Map<string, number>;
  /** Inline styles that scripts may change when the window is resized. */
  inline: { element: HTMLElement | SVGElement; text: string }[];
  /** Canvases, with the height of the bitmap and of the box that shows it. */
  canvases: { canvas: HTMLCanvasElement; bitmap: number; box: number }[];
  /** The same for texts of style rules, and of media queries. */
  fixed: (text: string) => string;
  fixedMedia: (query: string) => string;
  /** The pixel below the page. */
  rest?: HTMLElement;
  /** Whether a style rule starts animations by the scroll position. */
  hasTriggers: boolean;
  /** Fixed elements that fill the window with a canvas, and that canvas. */
  scenes: Map<HTMLElement, HTMLCanvasElement>;
  /** Fixed elements that fill the window with an image or a video. */
  photos: Set<HTMLElement>;
  /** Those that were repeated, with the height of the page. */
  copied: { element: HTMLElement; copies: HTMLElement[]; grown: number }[];
}

/** Our world of a document that was frozen. */
export interface FrozenWorld {
  captureFrozen?: Frozen;
}
