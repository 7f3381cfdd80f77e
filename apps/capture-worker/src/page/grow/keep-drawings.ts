/// <reference lib="dom" />
/** Scripts for `runInPage` that keep what canvases show: each is sent as text, so it must be self-contained. */

interface DrawingsWorld {
  /** The first canvases of the page, each with a copy of what it shows in the visitor's window. */
  captureDrawings?: Map<HTMLCanvasElement, OffscreenCanvas>;
}

/**
 * Remembers what canvases show: a new size of its bitmap clears a canvas, and scripts may set one when the window is resized. A
 * canvas that no longer fits into `pixels` is left out.
 */
export function rememberDrawings(limits: { canvases: number; pixels: number }): void {
  const drawings = new Map<HTMLCanvasElement, OffscreenCanvas>();
  let pixels = 0;
  for (const canvas of [...document.querySelectorAll('canvas')].slice(0, limits.canvases)) {
    const { width, height } = canvas;
    if (width * height === 0 || pixels + width * height > limits.pixels) continue;
    pixels += width * height;
    const copy = new OffscreenCanvas(width, height);
    copy.getContext('2d')?.drawImage(canvas, 0, 0);
    drawings.set(canvas, copy);
  }
  (globalThis as DrawingsWorld).captureDrawings = drawings;
}

/** Draws again what canvases have shown that are empty now: a visitor's window was not resized. */
export function restoreDrawings(): void {
  for (const [canvas, copy] of (globalThis as DrawingsWorld).captureDrawings ?? []) {
    if (!canvas.isConnected || canvas.width * canvas.height === 0 || !isEmpty(canvas) || isEmpty(copy)) continue;
    // One that WebGL draws has no such context.
    canvas.getContext('2d')?.drawImage(copy, 0, 0, canvas.width, canvas.height);
  }

  function isEmpty(drawing: CanvasImageSource): boolean {
    try {
      const small = new OffscreenCanvas(64, 64).getContext('2d');
      small?.drawImage(drawing, 0, 0, 64, 64);
      return !small?.getImageData(0, 0, 64, 64).data.some((value) => value > 0);
    } catch {
      // It shows images of other sites, and cannot be read.
      return false;
    }
  }
}
