const side = 16;

let small: OffscreenCanvasRenderingContext2D | null = null;

/** Returns a few pixels of a canvas; null if the canvas cannot be read. */
export function sample(canvas: HTMLCanvasElement): number[] | null {
  try {
    small ??= new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
    small?.clearRect(0, 0, side, side);
    small?.drawImage(canvas, 0, 0, side, side);
    return [...(small?.getImageData(0, 0, side, side).data ?? [])];
  } catch {
    // An image of another site makes a canvas unreadable for good, the small canvas too.
    small = null;
    return null;
  }
}

/** Whether two samples look the same. */
export function isNear(one: number[], other: number[] | null): boolean {
  return other !== null && one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) < one.length * 2;
}

/** Whether a canvas is empty. A canvas that cannot be read, because it shows an image of another site, counts as drawn. */
export function isEmpty(drawing: CanvasImageSource, size: number): boolean {
  try {
    const context = new OffscreenCanvas(size, size).getContext('2d');
    context?.drawImage(drawing, 0, 0, size, size);
    return !context?.getImageData(0, 0, size, size).data.some((value) => value > 0);
  } catch {
    return false;
  }
}
