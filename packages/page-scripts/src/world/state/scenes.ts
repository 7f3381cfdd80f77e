/** What the page's scripts tie to the scroll position: parallax, entrances that follow the scroll bar, pinned scenes. */
export interface Scenes {
  /** Elements whose inline style changed while the window was scrolled. */
  scrolled: Set<Element>;
  /** Elements whose inline size changed meanwhile, with the largest size that each had. */
  sized: Map<HTMLElement, Size>;
  /** Elements whose text changed meanwhile, with the text before; then with the last text that was in view. */
  texts: Map<Element, string>;
  /** The larger canvases; then only the canvases that are drawn by scrolling. */
  canvases: Map<HTMLCanvasElement, WatchedCanvas>;
  /** Of the elements that are not fixed, the most complete look that a visitor sees. */
  looks: Map<HTMLElement | SVGElement, Look>;
}

/** CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface WatchedCanvas {
  /** A few of its pixels before the page was scrolled. */
  before: number[];
  hasChanged: boolean;
  wasInView?: boolean;
  /** The last state that was in view. */
  copy?: HTMLCanvasElement;
}

export interface Look {
  /** How far the element is from being shown in full at its own place; 0 if it is. */
  distance: number;
  styles: Record<string, string>;
}
