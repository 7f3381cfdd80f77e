import { isEmpty } from '../dom/canvas-sample.ts';
import { state } from '../state/page-state.ts';

/** How many canvases are copied, and how many of their pixels; each pixel takes four bytes. */
const atMost = { canvases: 20, pixels: 10_000_000 };

/**
 * Records the drawings of canvases: setting the size of its bitmap clears a canvas, and scripts may do that when the window is
 * resized. A canvas that no longer fits into the limit is left out.
 */
export function recordDrawings(): void {
  const drawings = new Map<HTMLCanvasElement, OffscreenCanvas>();
  let pixels = 0;
  for (const canvas of [...document.querySelectorAll('canvas')].slice(0, atMost.canvases)) {
    const { width, height } = canvas;
    if (width * height === 0 || pixels + width * height > atMost.pixels) continue;
    pixels += width * height;
    const copy = new OffscreenCanvas(width, height);
    copy.getContext('2d')?.drawImage(canvas, 0, 0);
    drawings.set(canvas, copy);
  }
  state.drawings = drawings;
}

/** Restores the drawings of canvases that are empty now: a visitor's window was not resized. */
export function finishDrawings(): void {
  const size = 64;
  for (const [canvas, copy] of state.drawings ?? []) {
    if (!canvas.isConnected || canvas.width * canvas.height === 0) continue;
    if (!isEmpty(canvas, size) || isEmpty(copy, size)) continue;
    // A WebGL canvas has no such context.
    canvas.getContext('2d')?.drawImage(copy, 0, 0, canvas.width, canvas.height);
  }
}
