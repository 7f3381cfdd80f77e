import { expect, it } from '@jest/globals';
import { MeasuredRests, readOwnWaitedMs } from './rests.ts';

/** The rests of a machine whose clock and load the test sets. */
function measured() {
  let at = 0;
  let waitedMs = 0;
  const rests = new MeasuredRests(
    () => waitedMs,
    () => at,
  );
  /** For so many tenths of a second, the process waits for a processor for this share of the time. */
  const pass = (tenths: number, waits: number) => {
    for (let each = 0; each < tenths; each += 1) {
      at += 100;
      waitedMs += 100 * waits;
      rests.look();
    }
  };
  return { rests, pass };
}

const busy = 0.07;
const free = 0.03;

it('lets an account rest that requests more than its share of a busy machine, beside another', () => {
  const { rests, pass } = measured();
  pass(10, busy);
  for (let each = 0; each < 100; each += 1) rests.charge('flood', 3);
  rests.charge('ordinary', 3);
  // 0.3 s, of which 0.25 may be used at once, at a tenth of a processor.
  expect(rests.restMs('flood')).toBe(500);
  expect(rests.restMs('ordinary')).toBe(0);
  expect(rests.restMs('new')).toBe(0);
  pass(10, busy);
  expect(rests.restMs('flood')).toBe(0);
});

it('lets no account rest while processors are free, nor for what it did then', () => {
  const { rests, pass } = measured();
  pass(10, free);
  for (let each = 0; each < 1_000; each += 1) rests.charge('flood', 3);
  rests.charge('ordinary', 3);
  expect(rests.restMs('flood')).toBe(0);
  pass(10, busy);
  rests.charge('flood', 3);
  expect(rests.restMs('flood')).toBe(0);
});

it('ends rests when processors are free again', () => {
  const { rests, pass } = measured();
  pass(10, busy);
  rests.charge('flood', 750);
  rests.charge('ordinary', 3);
  expect(rests.restMs('flood')).toBe(5_000);
  pass(15, 0);
  expect(rests.restMs('flood')).toBe(0);
});

it('lets no account rest that is alone, or whose neighbours have sent nothing for five seconds', () => {
  const { rests, pass } = measured();
  pass(10, busy);
  rests.charge('flood', 750);
  expect(rests.restMs('flood')).toBe(0);
  rests.charge('ordinary', 3);
  expect(rests.restMs('flood')).toBeGreaterThan(0);
  pass(51, busy);
  rests.charge('flood', 750);
  expect(rests.restMs('flood')).toBe(0);
});

it('lets an account owe five seconds at most', () => {
  const { rests, pass } = measured();
  pass(10, busy);
  rests.charge('ordinary', 3);
  for (let each = 0; each < 20; each += 1) rests.charge('flood', 100);
  expect(rests.restMs('flood')).toBe(5_000);
});

it('gives an account 25 times 4 ms a second without rest', () => {
  const { rests, pass } = measured();
  pass(10, busy);
  // Long enough for a rate that is a little too low to use up the burst.
  for (let each = 0; each < 3_000; each += 1) {
    if (each % 2 === 0) rests.charge('ordinary', 4);
    for (let piece = 0; piece < 5 && each % 2 === 0; piece += 1) {
      expect(rests.restMs('steady')).toBe(0);
      rests.charge('steady', 4);
    }
    pass(1, busy);
  }
});

it('lets no account rest once the process ends', () => {
  const { rests, pass } = measured();
  pass(10, busy);
  rests.charge('flood', 750);
  rests.charge('ordinary', 3);
  rests.end();
  expect(rests.restMs('flood')).toBe(0);
});

it('reads how long this process has waited for a processor', () => {
  const before = readOwnWaitedMs();
  expect(before).toBeGreaterThanOrEqual(0);
  expect(readOwnWaitedMs()).toBeGreaterThanOrEqual(before);
});
