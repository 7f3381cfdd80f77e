import { elementsAtMost } from '../dom/elements.ts';
import { state } from '../state/page-state.ts';
import { fixLengths } from './window-lengths.ts';

/** Writes the lengths of a text as they are in the visitor's window. */
export function fixed(text: string): string {
  return state.visitor ? fixLengths(text, state.visitor, hasContainers) : text;
}

/** Writes a media query that depends on the height of the window as its result, which must be that of the visitor's window. */
export function fixedMedia(query: string): string {
  if (!/height|orientation|aspect-ratio/i.test(query)) return query;
  return matchMedia(query).matches ? 'all' : 'not all';
}

let containers: boolean | undefined;

function hasContainers(): boolean {
  const isContainer = (each: Element) => /size/.test(getComputedStyle(each).getPropertyValue('container-type'));
  containers ??= [...Document.prototype.querySelectorAll.call(document, '*')]
    .slice(0, elementsAtMost)
    .some(isContainer);
  return containers;
}
