import { state } from '../state/page-state.ts';

export function notifyOfResize(workEvent: string): void {
  document.dispatchEvent(new CustomEvent(`${workEvent}-notify`));
}

/** Keeps resizes of the window from scripts, until `notifyOfResize`. */
export function silenceResize(workEvent: string): void {
  document.dispatchEvent(new CustomEvent(`${workEvent}-silence`));
}

/** Notifies scripts that the page, or its expanded scroll container, was scrolled, as a window of this height would. */
export function announceScroll(): void {
  for (const target of [...(state.scroller?.chain ?? []), document, window]) {
    target.dispatchEvent(new Event('scroll', { bubbles: target === document }));
  }
}
