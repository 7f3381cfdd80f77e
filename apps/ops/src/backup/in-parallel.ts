/** Runs `work` for each item of a stream, up to `atOnce` at a time. The first failure ends the run. */
export async function inParallel<Item>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let failed = false;
  const lane = async () => {
    try {
      for (let next = await iterator.next(); !next.done && !failed; next = await iterator.next())
        await work(next.value);
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, lane));
  } finally {
    await iterator.return?.();
  }
}
