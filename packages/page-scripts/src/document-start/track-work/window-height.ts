import { invoke, make, wrap, wrapClass } from '../page-world/wrap.ts';
import { inPixels } from './in-pixels.ts';

/** Keeps the previous height of the window for everything that depends on it, when the viewport grows. */
export function keepWindowHeight(): void {
  // Margins in percent of the window would grow with the window, and hide the ends of the page.
  wrapClass('IntersectionObserver', (target, [callback, options, ...more], self) => {
    const { root, rootMargin } = (options ?? {}) as IntersectionObserverInit;
    const isRelative = (root ?? document) === document && typeof rootMargin === 'string' && /%/.test(rootMargin);
    const given = isRelative ? { ...(options as object), rootMargin: inPixels(rootMargin, innerHeight) } : options;
    return make(target, [callback, given, ...more], self);
  });
  wrap(globalThis, 'matchMedia', (target, self, [query, ...more]) => {
    const list = invoke(target, self, [query, ...more]) as MediaQueryList;
    const isForHeight = /height|orientation|aspect-ratio/i.test(list.media);
    return isForHeight ? invoke(target, self, [list.matches ? 'all' : 'not all']) : list;
  });
}
