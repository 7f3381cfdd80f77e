/**
 * Makes calls share the runs of a task. Runs do not overlap, and all calls during a run share the next run. A single call runs at
 * once; with more calls the batches grow.
 *
 * @param atMost items per run; further items wait for the run after it.
 * @param run returns a result for each item, in their order. If it fails, all calls of the batch fail.
 */
export function inBatches<Item, Result>(
  atMost: number,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  interface Call {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  let waiting: Call[] = [];
  let running = false;

  async function runAll(): Promise<void> {
    running = true;
    // The calls of the same tick are in the first batch too.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, atMost);
      waiting = waiting.slice(atMost);
      try {
        const results = await run(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void runAll();
    });
}
