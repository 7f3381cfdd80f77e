/// <reference lib="dom" />
import type { ScheduledWork } from '../track-work.ts';
import type { LookWorld } from './look.ts';
import type { PageRoots } from './page-roots.ts';
import type { Visibility } from './visibility.ts';

/** See `canvasCopies`. */
export type CanvasCopies = ReturnType<typeof canvasCopies>;

/** Compares canvases by small copies. Part of `look`. */
export function canvasCopies({ page: { all }, visible: { inView } }: { page: PageRoots; visible: Visibility }) {
  const world = globalThis as LookWorld;
  return { changedCanvases, blankCanvases };

  /** Canvases in view of which a small copy has changed. */
  function changedCanvases({ loops, workerForMs }: ScheduledWork): Element[] {
    if (!loops && workerForMs === 0) return [];
    world.captureCanvases ??= new WeakMap();
    const changed: Element[] = [];
    for (const canvas of (all('canvas') as HTMLCanvasElement[]).slice(0, 10)) {
      if (!inView(canvas) || canvas.width * canvas.height === 0) continue;
      try {
        const copy = new OffscreenCanvas(64, 64).getContext('2d', { willReadFrequently: true });
        copy?.drawImage(canvas, 0, 0, 64, 64);
        const text = String(copy?.getImageData(0, 0, 64, 64).data);
        if (world.captureCanvases.get(canvas) !== text) changed.push(canvas);
        world.captureCanvases.set(canvas, text);
      } catch {
        // It shows images of other sites, and cannot be read.
      }
    }
    return changed;
  }

  /** Those in view that show nothing. */
  function blankCanvases(): Element[] {
    const blank = String(new Uint8ClampedArray(64 * 64 * 4));
    const canvases = (all('canvas') as HTMLCanvasElement[]).slice(0, 10);
    const isBlank = (canvas: HTMLCanvasElement) => world.captureCanvases?.get(canvas) === blank && inView(canvas);
    return canvases.filter(isBlank);
  }
}
