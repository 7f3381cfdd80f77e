/**
 * Does bulk work in slices. Each slice is a statement or transaction that takes a fraction of a second, so other transactions
 * hardly wait and the work can be interrupted at any point. A slice must not find rows that an earlier slice has processed, so
 * that repeating the work resumes it.
 *
 * @param size the rows of one slice.
 * @param slice processes up to `size` rows and returns their number; a smaller number means that no rows are left.
 * @param goOn asked before each further slice.
 * @returns the number of processed rows.
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

/** Returns a function that returns true for `ms` milliseconds, for work that must stop after some time. */
export function forTime(ms: number): () => boolean {
  const until = performance.now() + ms;
  return () => performance.now() < until;
}
