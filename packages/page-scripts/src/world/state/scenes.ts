/**
 * Records of what the page's scripts tie to the scroll position: parallax, entrances that follow the scroll bar, pinned scenes.
 */
export interface Scenes {
  /** Elements whose inline style changed while the window was scrolled. */
  scrolled: Set<Element>;
  /** Elements whose inline size changed meanwhile, with the largest size of each. */
  sized: Map<HTMLElement, Size>;
  /** Elements whose text changed meanwhile: first with the text before, later with the last text that was in view. */
  texts: Map<Element, string>;
  /** The larger canvases; later only the canvases that scrolling draws. */
  canvases: Map<HTMLCanvasElement, WatchedCanvas>;
  /** The most complete look that a visitor sees of each element that is not fixed. */
  looks: Map<HTMLElement | SVGElement, Look>;
}

/** A size in CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface WatchedCanvas {
  /** A few pixels of the canvas before the page was scrolled. */
  before: number[];
  hasChanged: boolean;
  wasInView?: boolean;
  /** The last state that was in view. */
  copy?: HTMLCanvasElement;
}

export interface Look {
  /** How far the element is from being shown completely in its place; 0 if it is. */
  distance: number;
  styles: Record<string, string>;
}
