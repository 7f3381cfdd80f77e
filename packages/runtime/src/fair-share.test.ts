import { expect, it } from '@jest/globals';
import { FairShare, type FairShareOptions, nextInTurn } from './fair-share.ts';

/** Work that is in progress until the test ends it. */
function heldWork(options: FairShareOptions) {
  const share = new FairShare(options);
  const running = new Map<string, () => void>();
  const started: string[] = [];
  /** Waits until the work that has its turn has started. */
  const settled = () => new Promise(setImmediate);
  return {
    share,
    started,
    running,
    /** @returns how each ended so far. */
    async ask(owner: string, names: string[], more: { perOwner?: number; signal?: AbortSignal } = {}) {
      const hold = (name: string) => () =>
        new Promise<string>((end) => {
          started.push(name);
          running.set(name, () => end(name));
        });
      const outcomes = names.map((name) => share.run(owner, hold(name), more).catch(() => 'rejected'));
      await settled();
      return Promise.all(outcomes.map((outcome) => Promise.race([outcome, 'pending'])));
    },
    async end(name = started.at(-1) as string) {
      running.get(name)?.();
      running.delete(name);
      await settled();
    },
  };
}

const namesOf = (owner: string, count: number) => Array.from({ length: count }, (_, index) => `${owner}${index}`);

it('the next turn is that of the owner with the least in progress, and among equals of the one that waited longest', () => {
  const owners = [
    { name: 'most', inProgress: 3, lastTurn: 0 },
    { name: 'late', inProgress: 1, lastTurn: 9 },
    { name: 'early', inProgress: 1, lastTurn: 4 },
  ];
  const next = (of: typeof owners) =>
    nextInTurn(
      of,
      ({ inProgress }) => inProgress,
      ({ lastTurn }) => lastTurn,
    );
  expect(next(owners)?.name).toBe('early');
  expect(next([])).toBeUndefined();
});

it('an owner runs no more at once than it may, in the order of arrival', async () => {
  const { ask, started, end } = heldWork({ perOwner: 3 });
  await ask('a', namesOf('a', 20));
  expect(started).toEqual(['a0', 'a1', 'a2']);
  await end('a1');
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3']);
  await ask('b', ['b0']);
  expect(started.at(-1)).toBe('b0');
});

it('many owners whose work hangs leave room for another, and never run more than there may be together', async () => {
  const { ask, started, running, end } = heldWork({ atOnce: 48 });
  const hang = (index: number) => ask(`dead${index}-`, namesOf(`dead${index}-`, 100), { perOwner: 6 });
  for (let index = 0; index < 8; index += 1) await hang(index);
  expect(running.size).toBeLessThan(48);
  await ask('good', ['good0']);
  expect(started.at(-1)).toBe('good0');
  for (let index = 8; index < 100; index += 1) await hang(index);
  expect(running.size).toBe(48);
  // All is taken: what becomes free goes to the owners that have nothing, in turn.
  await ask('late', namesOf('late', 2));
  await end('good0');
  expect(started.at(-1)).toMatch(/^dead\d+-0$/);
  for (let turn = 0; turn < 100 && !started.includes('late0'); turn += 1) await end();
  expect(started).toContain('late0');
});

it('owners take turns, however long the queue of one is', async () => {
  const { ask, started, end } = heldWork({ atOnce: 1 });
  await ask('a', namesOf('a', 3));
  await ask('b', namesOf('b', 2));
  await ask('c', ['c0']);
  for (let turn = 0; turn < 6; turn += 1) await end();
  expect(started).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2']);
});

it('a new owner comes after those that wait already', async () => {
  const { ask, started, end } = heldWork({ atOnce: 1 });
  await ask('a', namesOf('a', 2));
  await ask('b', ['b0']);
  await end('a0');
  await ask('c', ['c0']);
  await end('b0');
  await end('a1');
  expect(started).toEqual(['a0', 'b0', 'a1', 'c0']);
});

it('work that has not started when its signal aborts is rejected and never starts', async () => {
  const { ask, started, end } = heldWork({ perOwner: 2 });
  const capture = new AbortController();
  const { signal } = capture;
  const asking = ask('a', namesOf('a', 3), { signal });
  capture.abort();
  expect(await asking).toEqual(['pending', 'pending', 'rejected']);
  await end('a0');
  await end('a1');
  expect(started).toEqual(['a0', 'a1']);
  expect(await ask('a', ['a3'], { signal })).toEqual(['rejected']);
  await ask('b', ['b0']);
  expect(started).toEqual(['a0', 'a1', 'b0']);
});

it('says how much of an owner waits, and whether more would start at once', async () => {
  const { ask, share, end } = heldWork({ perOwner: 2 });
  expect(share.hasRoomFor('a')).toBe(true);
  await ask('a', namesOf('a', 5));
  expect([share.hasRoomFor('a'), share.waitingOf('a')]).toEqual([false, 3]);
  expect([share.hasRoomFor('b'), share.waitingOf('b')]).toEqual([true, 0]);
  for (let turn = 0; turn < 4; turn += 1) await end();
  expect([share.hasRoomFor('a'), share.waitingOf('a')]).toEqual([true, 0]);
});

it('releases the slot of work that fails, and a slot only once', async () => {
  const share = new FairShare({ perOwner: 2 });
  await share.take('a');
  await expect(share.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  const release = await share.take('a');
  release();
  release();
  expect(share.hasRoomFor('a')).toBe(true);
  await share.take('a');
  expect(share.hasRoomFor('a')).toBe(false);
});
