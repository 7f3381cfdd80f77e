import { state } from '../state/page-state.ts';

/**
 * Leaves a pixel to scroll to below the page. A page that cannot be scrolled is at both its start and its end, and scripts that
 * follow the scroll position would show the end.
 */
export function applyRest(): void {
  if (!state.visitor) return;
  state.rest ??= document.createElement('div');
  const { rest } = state;
  rest.style.cssText = `position: absolute; left: 0; top: ${window.innerHeight}px; width: 1px; height: 1px; visibility: hidden`;
  if (!rest.isConnected) document.documentElement.append(rest);
}

/** Removes the pixel: on paper it would take another sheet. */
export function undoRest(): void {
  state.rest?.remove();
  delete state.rest;
}
