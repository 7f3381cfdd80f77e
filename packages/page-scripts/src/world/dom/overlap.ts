interface Rect {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Returns the area that two boxes share; 0 if they do not touch. */
export function overlap(one: Rect, other: Rect): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}
