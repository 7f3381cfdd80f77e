/** The container that scrolls in place of the window, once our scripts have expanded it. */
export interface Scroller {
  /** The container and its ancestors, from the inside out; empty if the page has no such container. */
  chain: HTMLElement[];
  /** Lists beside the container that scroll by themselves. */
  lists: HTMLElement[];
  /** The container's height before it was expanded, CSS pixels. */
  height: number;
  /** The previous inline styles of all changed elements. */
  before: [HTMLElement, string][];
}
