const { Number: number } = globalThis;

/** Writes the top and bottom margins of an intersection observer in pixels of a window of this height. */
export function inPixels(margin: string, height: number): string {
  const [top = '0px', right = top, bottom = top, left = right] = margin.trim().split(/\s+/);
  const pixels = (part: string) => (part.endsWith('%') ? `${(number(part.slice(0, -1)) / 100) * height}px` : part);
  return [pixels(top), right, pixels(bottom), left].join(' ');
}
