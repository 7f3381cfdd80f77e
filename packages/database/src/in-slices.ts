/**
 * Does bulk work in slices, each a statement or transaction of its own that takes a fraction of a second, so that nothing
 * waits for it and it may be interrupted anywhere. What a slice has done must not be found by the next one: then repeating
 * the work resumes it.
 *
 * @param size rows of one slice.
 * @param slice does the next `size` rows at most. @returns how many there were; fewer mean that no more are left.
 * @param goOn asked before each further slice.
 * @returns how many rows there were in all.
 */
export async function inSlices(
  size: number,
  slice: (size: number) => Promise<number>,
  goOn: () => boolean = () => true,
): Promise<number> {
  let done = 0;
  for (;;) {
    const rows = await slice(size);
    done += rows;
    if (rows < size || !goOn()) return done;
  }
}

/** Returns a function that returns true for `ms` milliseconds: for work that must stop after some time. */
export function forTime(ms: number): () => boolean {
  const until = performance.now() + ms;
  return () => performance.now() < until;
}
