/** The styles by which scripts hide, move and size an element. */
export const lookNames = ['opacity', 'visibility', 'transform', 'translate', 'scale', 'rotate', 'filter', 'clip-path'];

/** Measures how far an element is from being shown completely in its place; 0 if it is. */
export function distanceOf(element: Element): number {
  const style = getComputedStyle(element);
  const { a, b, c, d, e, f } = new DOMMatrix(style.transform);
  const [x = 0, y = 0] = style.translate.split(' ').map((part) => Number.parseFloat(part) || 0);
  const [scaleX = 1, scaleY = scaleX] = style.scale === 'none' ? [1] : style.scale.split(' ').map(Number);
  const turned = style.rotate === 'none' ? 0 : 0.1;
  const moved = (Math.abs(e + x) + Math.abs(f + y)) / window.innerWidth;
  const sized = [a * scaleX - 1, d * scaleY - 1, b, c].reduce((sum, part) => sum + Math.abs(part), 0);
  const cut = /^inset\(([^)]*)/.exec(style.clipPath)?.[1]?.match(/[\d.]+(?=%)/g) ?? [];
  const clipped = cut.reduce((sum, part) => sum + Number(part) / 100, 0);
  const blurred = Number(/blur\(([\d.]+)px/.exec(style.filter)?.[1] ?? 0) / 20;
  const drawn = Math.abs(Number.parseFloat(style.strokeDashoffset) || 0) / 1_000;
  const hidden = 1 - Number(style.opacity) + (style.visibility === 'hidden' ? 1 : 0);
  return moved + sized + clipped + blurred + drawn + turned + hidden;
}
