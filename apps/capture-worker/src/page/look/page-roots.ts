/// <reference lib="dom" />
import type { ClosedRoots } from './closed-roots.ts';
import type { Visibility } from './visibility.ts';

/** See `pageRoots`. */
export type PageRoots = ReturnType<typeof pageRoots>;

/** A document, or a shadow root. */
type Root = Document | ShadowRoot;

/** Finds all that a page consists of. Part of `look`. */
export function pageRoots({
  closed: { closedRootsOf },
  visible: { inView },
}: {
  closed: ClosedRoots;
  visible: Visibility;
}) {
  let found: Root[] | undefined;
  return { roots, all, findRoots, isDocument };

  /** Those of this look: the first call, after the wait, finds them. */
  function roots(): Root[] {
    found ??= findRoots();
    return found;
  }

  function all(selector: string): Element[] {
    return roots().flatMap((root) => select(root, selector));
  }

  /** The document, its shadow roots, and the documents of its frames that can be read. */
  function findRoots(root: Root = document, depth = 0): Root[] {
    const found = [root];
    if (depth > 5) return found;
    const inner = isDocument(root) ? closedRootsOf(root) : [];
    for (const element of select(root, '*').slice(0, 20_000)) {
      if (element.shadowRoot) inner.push(element.shadowRoot);
      // In documents of opaque origin, reading a frame's document from our world crashes the renderer (Chromium 156).
      const isReadable = window.origin !== 'null' && element instanceof HTMLIFrameElement && inView(element);
      if (isReadable && element.contentDocument) found.push(...findRoots(element.contentDocument, depth + 1));
    }
    return [...found, ...inner.flatMap((each) => findRoots(each, depth + 1))];
  }

  /** By its type: roots in frames belong to other realms. */
  function isDocument(root: Root): root is Document {
    return root.nodeType === Node.DOCUMENT_NODE;
  }

  /** Through the prototypes: elements of a page can shadow methods of its document by their names. */
  function select(root: Root, selector: string): Element[] {
    return [...(isDocument(root) ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector)];
  }
}
