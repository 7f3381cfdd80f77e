import { expect, it } from '@jest/globals';
import { createAccountSlots } from './account-slots.ts';
import { MeasuredShares, readProcessorTime } from './processor-shares.ts';

/** Shares of a process whose clock and processor the test moves. */
function measured() {
  const time = { at: 0, ranMs: 0, waitedMs: 0 };
  const shares = new MeasuredShares(
    () => time,
    () => time.at,
  );
  /** For so many tenths of a second, the process runs, and waits for a processor, for these shares of the time. */
  const pass = (tenths: number, { runs, waits }: { runs: number; waits: number }) => {
    for (let each = 0; each < tenths; each += 1) {
      time.at += 100;
      time.ranMs += 100 * runs;
      time.waitedMs += 100 * waits;
      shares.look();
    }
  };
  return { shares, pass };
}

const busy = { runs: 0.5, waits: 0.4 };

it('let an account rest that uses more than its share of a busy processor, beside another', () => {
  const { shares, pass } = measured();
  const ends = Array.from({ length: 8 }, () => shares.use('flood'));
  shares.use('ordinary')();
  pass(10, busy);
  expect(shares.restMs('flood')).toBeGreaterThan(1_000);
  expect(shares.restMs('ordinary')).toBe(0);
  expect(shares.restMs('new')).toBe(0);
  for (const end of ends) end();
  pass(60, { ...busy, runs: 0 });
  expect(shares.restMs('flood')).toBe(0);
});

it('let no account rest while processors are free, however much it uses', () => {
  const { shares, pass } = measured();
  shares.use('flood');
  shares.use('ordinary');
  pass(50, { runs: 1, waits: 0.05 });
  expect(shares.restMs('flood')).toBe(0);
});

it('let no account rest that is alone, or whose neighbours have sent nothing for five seconds', () => {
  const { shares, pass } = measured();
  shares.use('flood');
  shares.use('ordinary')();
  pass(40, busy);
  expect(shares.restMs('flood')).toBeGreaterThan(0);
  pass(20, busy);
  expect(shares.restMs('flood')).toBe(0);
});

it('charge no account for requests that only wait, as for a slow database', () => {
  const { shares, pass } = measured();
  for (let each = 0; each < 20; each += 1) shares.use('patient');
  shares.use('ordinary');
  pass(50, { runs: 0.09, waits: 0.4 });
  expect(shares.restMs('patient')).toBe(0);
});

it('charge each account by how long its requests were handled, and none more than that', () => {
  const { shares, pass } = measured();
  shares.use('flood');
  // The process also does what no account has asked for.
  for (let each = 0; each < 50; each += 1) {
    const end = shares.use('ordinary');
    pass(1, busy);
    end();
    pass(4, busy);
  }
  expect(shares.restMs('flood')).toBeGreaterThan(0);
  expect(shares.restMs('ordinary')).toBe(0);
});

it('owe five seconds at most, so that a client is served before it gives up', () => {
  const { shares, pass } = measured();
  shares.use('flood');
  shares.use('ordinary');
  pass(500, { runs: 1, waits: 0.4 });
  expect(shares.restMs('flood')).toBe(5_000);
});

it('read what this process has used, and on Linux how long it waited', () => {
  const before = readProcessorTime();
  let sum = 0;
  for (let each = 0; each < 1e7; each += 1) sum += each % 7;
  const after = readProcessorTime();
  expect(sum).toBeGreaterThan(0);
  expect(after.ranMs).toBeGreaterThan(before.ranMs);
  if (process.platform === 'linux') expect(after.waitedMs).toBeGreaterThan(0);
});

it('keep the work of an account that rests waiting, and start it in its order afterwards', async () => {
  let restMs = 1;
  const slots = createAccountSlots(8, 2, { use: () => () => {}, restMs: (id) => (id === 'flood' ? restMs : 0) });
  const started: string[] = [];
  const run = (accountId: string, name: string) => slots.run(accountId, async () => void started.push(name));
  const runs = [run('flood', 'first'), run('flood', 'second')];
  await run('ordinary', 'other');
  expect(started).toEqual(['other']);
  restMs = 0;
  await Promise.all(runs);
  expect(started).toEqual(['other', 'first', 'second']);
});
