/** A part of the page, from its upper left corner, CSS pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
  /** How large a CSS pixel of the page is drawn, in those of the screen; 1 unless given. */
  scale?: number;
}

/** Whole pixels, as near as they are: half a pixel of what is beside it is worse than half a pixel less of it. */
export function onPixels({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))];
  const [right, bottom] = [Math.round(x + width), Math.round(y + height)];
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}
