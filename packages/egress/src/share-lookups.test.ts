import { expect, it } from '@jest/globals';
import { shareLookups } from './share-lookups.ts';

/** A resolver of dead names: each look-up holds its thread until the test ends it. */
function deadNames(atOnce: number) {
  const running: { hostname: string; end(): void }[] = [];
  const started: string[] = [];
  const resolve = shareLookups(
    (hostname) =>
      new Promise<string>((end) => {
        started.push(hostname);
        running.push({ hostname, end: () => end(hostname) });
      }),
    { atOnce },
  );
  /** Waits until the look-ups that have their turn have started. */
  const settled = () => new Promise(setImmediate);
  return {
    started,
    running: () => running.map(({ hostname }) => hostname),
    async ask(
      owner: string | undefined,
      names: string[],
      { most = 6, signal }: { most?: number; signal?: AbortSignal } = {},
    ) {
      const asker = { most, ...(owner !== undefined && { owner }), ...(signal && { signal }) };
      const outcomes = names.map((name) => resolve(name, asker).catch(() => 'rejected'));
      await settled();
      return Promise.all(outcomes.map((outcome) => Promise.race([outcome, 'pending'])));
    },
    /** Ends one that is running. */
    async end(hostname: string) {
      const [ended] = running.splice(
        running.findIndex((each) => each.hostname === hostname),
        1,
      );
      ended?.end();
      await settled();
    },
  };
}

const namesOf = (owner: string, count: number) => Array.from({ length: count }, (_, index) => `${owner}${index}`);

it('an owner runs no more look-ups at once than it may', async () => {
  const { ask, started, end } = deadNames(48);
  await ask('a', namesOf('a', 20), { most: 3 });
  expect(started).toEqual(['a0', 'a1', 'a2']);
  await end('a1');
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3']);
});

it('many owners of dead names leave room for another, and never run more than there may be together', async () => {
  const { ask, started, running, end } = deadNames(48);
  for (let index = 0; index < 8; index += 1) await ask(`dead${index}-`, namesOf(`dead${index}-`, 100));
  expect(running().length).toBeLessThan(48);
  await ask('good', ['good0']);
  expect(started.at(-1)).toBe('good0');
  for (let index = 8; index < 100; index += 1) await ask(`dead${index}-`, namesOf(`dead${index}-`, 100));
  expect(running()).toHaveLength(48);
  // All is taken: what becomes free goes to the ones that have nothing, in turn.
  await ask('late', namesOf('late', 2));
  await end('good0');
  const waiting = started.at(-1);
  expect(waiting).toMatch(/^dead\d+-0$/);
  for (let turn = 0; turn < 100 && !started.includes('late0'); turn += 1) await end(started.at(-1) as string);
  expect(started).toContain('late0');
});

it('owners take turns, however long the queue of one is', async () => {
  const { ask, started, end } = deadNames(1);
  await ask('a', namesOf('a', 3));
  await ask('b', namesOf('b', 2));
  await ask('c', ['c0']);
  for (let turn = 0; turn < 6; turn += 1) await end(started.at(-1) as string);
  expect(started).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2']);
});

it('look-ups that have not started when their owner ends are rejected and never start', async () => {
  const { ask, started, end } = deadNames(48);
  const capture = new AbortController();
  const asking = ask('a', namesOf('a', 3), { most: 2, signal: capture.signal });
  capture.abort();
  expect(await asking).toEqual(['pending', 'pending', 'rejected']);
  await end('a0');
  await end('a1');
  expect(started).toEqual(['a0', 'a1']);
  expect(await ask('a', ['a3'], { signal: capture.signal })).toEqual(['rejected']);
  // Those that run on count until they end, those that left do not.
  await ask('b', ['b0']);
  expect(started).toEqual(['a0', 'a1', 'b0']);
});

it('a look-up without an owner, of the process itself, does not wait', async () => {
  const { ask, started } = deadNames(1);
  await ask('a', namesOf('a', 3));
  await ask(undefined, ['postgres']);
  expect(started).toEqual(['a0', 'postgres']);
});
