/** Where the range of an animation begins or ends, as `Animation.rangeStart`: a name, and a length or a percentage. */
type RangeBound = { rangeName?: string; offset?: { unit: string; value: number } } | string | undefined;

/**
 * Returns the share of its range that an animation of a view timeline has passed when the centre of its element is at the centre
 * of the window: 0 to 1.
 *
 * @param height of the element, CSS pixels.
 */
export function shareInMiddle(
  { rangeStart, rangeEnd }: { rangeStart: RangeBound; rangeEnd: RangeBound },
  height: number,
  windowHeight: number,
): number {
  const [least, most] = [Math.min(height, windowHeight), Math.max(height, windowHeight)];
  const all = windowHeight + height;
  // Each range has its start and end, in pixels since the element came into view.
  const ranges: Record<string, [number, number]> = {
    cover: [0, all],
    contain: [least, most],
    entry: [0, least],
    exit: [most, all],
    'entry-crossing': [0, height],
    'exit-crossing': [windowHeight, all],
  };
  const position = (bound: RangeBound, share: number) => {
    const { rangeName = 'cover', offset } = typeof bound === 'object' ? bound : {};
    const [from, to] = ranges[rangeName] ?? [0, all];
    if (offset?.unit === 'px') return from + offset.value;
    return from + (to - from) * (offset?.unit === 'percent' ? offset.value / 100 : share);
  };
  const [start, end] = [position(rangeStart, 0), position(rangeEnd, 1)];
  return Math.min(1, Math.max(0, (all / 2 - start) / Math.max(1, end - start)));
}
