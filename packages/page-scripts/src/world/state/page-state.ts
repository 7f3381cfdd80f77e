import type { BannersState } from './banners-state.ts';
import type { ContentCopies } from './content-copies.ts';

/** Everything that our scripts remember about a document between two calls. Each room adds its part here. */
export interface PageState {
  /**
   * The element that `findMatch` chose, by selector. Pages have twins for phones and desktops, and the choice must not change.
   */
  matches?: Map<string, Element>;
  /** The style sheet with the client's `css`, `hide_selectors` and `remove_selectors`. */
  clientSheet?: CSSStyleSheet;
  /** The copies of the visible content, for reading. */
  content?: ContentCopies;
  banners?: BannersState;
  /** Messages of the consent library that the worker has not fetched. */
  consentMessages?: { messages: unknown[]; wake: () => void; next?: Promise<unknown[]> };
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
