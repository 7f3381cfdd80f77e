/** The changes that a mutation observer has seen since the last look, and those that looks remember. */
export interface Changes {
  /** Elements with changed text or children. */
  contents: Set<Element>;
  /** Elements with changed attributes. */
  elements: Set<Element>;
  /** How elements with changed attributes looked before. */
  known: WeakMap<Element, string>;
  /** Elements that have moved, and when a look last saw that, milliseconds. */
  moved: Map<Element, number>;
  /** Elements that were hidden at the last look. */
  hidden: Element[];
  /** Elements that had not stopped moving, or were still hidden, when a wait ended. */
  endless: WeakSet<Element>;
  /** How many such waits there were. */
  endlessWaits: number;
  observer: MutationObserver;
  observed: WeakSet<Node>;
}
