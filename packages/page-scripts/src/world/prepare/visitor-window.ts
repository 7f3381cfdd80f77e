import { elementsAtMost } from '../dom/examined.ts';
import { state } from '../state/page-state.ts';
import type { Root, VisitorWindow } from '../state/tall-page.ts';

/** Records the visitor's window, before it grows, and the elements that the steps examine. */
export function recordWindow(): void {
  if (state.visitor) return;
  const visitor: VisitorWindow = {
    width: window.innerWidth,
    height: window.innerHeight,
    roots: [],
    elements: [],
  };
  collect(document, visitor);
  state.visitor = visitor;
}

function collect(root: Root, visitor: VisitorWindow): void {
  visitor.roots.push(root);
  // The script calls the prototypes, because elements of a page can shadow methods of its document by their names.
  const { prototype } = root instanceof ShadowRoot ? DocumentFragment : Document;
  for (const element of prototype.querySelectorAll.call(root, '*')) {
    if (visitor.elements.length >= elementsAtMost) return;
    visitor.elements.push(element);
    if (element.shadowRoot) collect(element.shadowRoot, visitor);
  }
}

/** The height of the visitor's window, CSS pixels. */
export function visitorHeight(): number {
  return state.visitor?.height ?? window.innerHeight;
}

/** Calls a function for each element of the visitor's window, except forms whose controls hide the form's properties. */
export function forEachElement(visit: (element: Element) => void): void {
  for (const element of state.visitor?.elements ?? []) {
    try {
      visit(element);
    } catch {
      // This form is left out.
    }
  }
}

/** Calls a function for each element of HTML, like `forEachElement`. */
export function forEachHtmlElement(visit: (element: HTMLElement) => void): void {
  forEachElement((element) => {
    if (element instanceof HTMLElement) visit(element);
  });
}
