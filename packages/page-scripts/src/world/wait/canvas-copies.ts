import { inView } from '../dom/visibility.ts';
import { state } from '../state/page-state.ts';
import type { Glance } from './glance.ts';

const canvasesAtMost = 10;

/** Width and height of a copy, pixels. */
const side = 64;

const blank = String(new Uint8ClampedArray(side * side * 4));

/** Returns canvases in view whose small copy has changed since the last look. */
export function changedCanvases(glance: Glance): Element[] {
  const { loops, workerForMs } = glance.work;
  if (!loops && workerForMs === 0) return [];
  state.canvasCopies ??= new WeakMap();
  const changed: Element[] = [];
  for (const canvas of canvasesOf(glance)) {
    if (!inView(canvas) || canvas.width * canvas.height === 0) continue;
    try {
      const copy = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
      copy?.drawImage(canvas, 0, 0, side, side);
      const text = String(copy?.getImageData(0, 0, side, side).data);
      if (state.canvasCopies.get(canvas) !== text) changed.push(canvas);
      state.canvasCopies.set(canvas, text);
    } catch {
      // The canvas shows images of other sites, and cannot be read.
    }
  }
  return changed;
}

/** Returns canvases in view that show nothing. */
export function blankCanvases(glance: Glance): Element[] {
  return canvasesOf(glance).filter((canvas) => state.canvasCopies?.get(canvas) === blank && inView(canvas));
}

function canvasesOf(glance: Glance): HTMLCanvasElement[] {
  return glance.all<HTMLCanvasElement>('canvas').slice(0, canvasesAtMost);
}
