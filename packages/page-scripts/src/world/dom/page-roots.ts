import { closedRootsOf } from './closed-roots.ts';
import { inView } from './visibility.ts';

export type Root = Document | ShadowRoot;

const elementsAtMost = 20_000;
const deepest = 5;

/** Finds the document, its shadow roots, and the readable documents of its frames in view. */
export function findRoots(workEvent: string, root: Root = document, depth = 0): Root[] {
  const found = [root];
  if (depth > deepest) return found;
  const inner = isDocument(root) ? closedRootsOf(root, workEvent) : [];
  for (const element of select(root, '*').slice(0, elementsAtMost)) {
    if (element.shadowRoot) inner.push(element.shadowRoot);
    // In documents of opaque origin, reading a frame's document from our world crashes the renderer (Chromium 156).
    const isReadable = window.origin !== 'null' && element instanceof HTMLIFrameElement && inView(element);
    if (isReadable && element.contentDocument) found.push(...findRoots(workEvent, element.contentDocument, depth + 1));
  }
  return [...found, ...inner.flatMap((each) => findRoots(workEvent, each, depth + 1))];
}

/** Whether a root is a document, by its type, because roots in frames belong to other realms. */
export function isDocument(root: Root): root is Document {
  return root.nodeType === Node.DOCUMENT_NODE;
}

/**
 * Selects elements by the methods of prototypes, because elements of a page can shadow methods of its document by their names.
 */
export function select(root: Root, selector: string): Element[] {
  return [...(isDocument(root) ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector)];
}
