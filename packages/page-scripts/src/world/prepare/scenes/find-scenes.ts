import { state } from '../../state/page-state.ts';
import type { Scenes } from '../../state/scenes.ts';
import { distanceOf } from './looks.ts';

/** How many elements are placed. */
const elementsAtMost = 200;

/**
 * Finds elements that scripts moved while the window was scrolled and that are not in their final state in the grown window.
 *
 * @returns the number of these elements and of the texts and canvases that follow the scroll position, and whether all elements
 * are only hidden, as elements are that appear at once when they come into view.
 */
export function findScenes(): { found: number; areHidden: boolean } {
  const { scenes } = state;
  if (!scenes) return { found: 0, areHidden: false };
  const { incomplete, hidden } = findLooks(scenes);
  for (const states of [scenes.texts, scenes.canvases, scenes.sized]) {
    for (const element of states.keys()) if (isFixed(element)) states.delete(element as HTMLCanvasElement);
  }
  const found = incomplete + scenes.texts.size + scenes.canvases.size + scenes.sized.size;
  return { found, areHidden: hidden === found };
}

function findLooks(scenes: Scenes): { incomplete: number; hidden: number } {
  scenes.looks.clear();
  let [incomplete, hidden] = [0, 0];
  for (const element of scenes.scrolled) {
    if (scenes.looks.size >= elementsAtMost) break;
    if (!(element instanceof HTMLElement || element instanceof SVGElement) || !element.isConnected) continue;
    if (isFixed(element) || movesWithoutEnd(element)) continue;
    if (distanceOf(element) >= 0.05) {
      incomplete += 1;
      const { opacity, visibility } = getComputedStyle(element);
      if (Number(opacity) <= 0.02 || visibility === 'hidden') hidden += 1;
    }
    // Complete elements count too: another size of the window may change them.
    scenes.looks.set(element, { distance: Number.POSITIVE_INFINITY, styles: {} });
  }
  if (incomplete === 0) scenes.looks.clear();
  return { incomplete, hidden };
}

function isFixed(element: Element): boolean {
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (getComputedStyle(each).position === 'fixed') return true;
  }
  return false;
}

/** Whether an element moves without an end, and so not because of scrolling. The waits have found such elements. */
function movesWithoutEnd(element: Element): boolean {
  return state.changes?.endless.has(element) ?? false;
}
