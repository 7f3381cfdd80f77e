/// <reference lib="dom" />

/**
 * What is remembered of what the page's scripts tie to the scroll position: parallax, entrances that follow the scroll bar,
 * pinned scenes.
 */
export interface Scenes {
  /** Elements whose inline style changed while the window was scrolled. */
  scrolled: Set<Element>;
  /** Elements whose inline size changed meanwhile, with the largest size that they had, CSS pixels. */
  sized: Map<HTMLElement, Size>;
  noteLargest: (element: HTMLElement) => void;
  /** Elements whose text changed meanwhile, with the text before; then with the last one that was in view. */
  texts: Map<Element, string>;
  /** The larger canvases, with a few pixels of each; then those that are drawn by scrolling, with a copy of the last state in view. */
  canvases: Map<HTMLCanvasElement, { before: number[]; hasChanged: boolean; copy?: HTMLCanvasElement }>;
  sample: (canvas: HTMLCanvasElement) => number[] | null;
  isNear: (one: number[], other: number[] | null) => boolean;
  /** Those that are not fixed, and the most complete look that a visitor sees. */
  looks: Map<HTMLElement | SVGElement, { distance: number; styles: Record<string, string> }>;
  /** Since `findScenes`: how far an element is from being shown in full at its own place; 0 if it is. */
  distanceOf: (element: Element) => number;
}

interface Size {
  width: number;
  height: number;
}

export interface SceneWorld {
  captureScenes?: Scenes;
}
