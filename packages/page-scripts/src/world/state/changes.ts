/** The changes that a mutation observer has seen since the last look, and the elements that later looks compare. */
export interface Changes {
  /** Elements with changed text or children. */
  contents: Set<Element>;
  /** Elements with changed attributes. */
  elements: Set<Element>;
  /** How elements with changed attributes looked at the last look. */
  known: WeakMap<Element, string>;
  /** Elements that have moved, with the time at which a look last saw them move, milliseconds. */
  moved: Map<Element, number>;
  /** Elements that were hidden at the last look. */
  hidden: Element[];
  /** Elements that had not stopped moving, or were still hidden, when a wait ended. */
  endless: WeakSet<Element>;
  /** The number of waits that ended with endless elements. */
  endlessWaits: number;
  observer: MutationObserver;
  observed: WeakSet<Node>;
}
