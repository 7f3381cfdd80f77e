import type { DueState } from '@capture/database/deliveries/claim-deliveries';
import { createLogger } from '@capture/runtime/service/log';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { startClaiming } from './claim-loop.ts';

const pollMs = 1_000;
const restMs = 10;

const nothing: DueState = { waiting: false, nextDueInMs: null };

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Returns a claim whose runs end on the test's request. */
function manualClaim() {
  let end = () => {};
  const run = jest.fn(() => new Promise<DueState>((resolve) => (end = () => resolve(nothing))));
  return { run, end: () => end() };
}

function start(claim: () => Promise<DueState>) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { ...startClaiming(claim, createLogger('test', { destination })), lines };
}

it('claims every second, and at once when woken', async () => {
  const claim = jest.fn(async () => nothing);
  const claiming = start(claim);
  await jest.advanceTimersByTimeAsync(3 * pollMs);
  expect(claim).toHaveBeenCalledTimes(3);
  claiming.wake();
  expect(claim).toHaveBeenCalledTimes(4);
  await claiming.stop();
});

it('never runs twice at the same time; wake-ups during a run start one more run', async () => {
  const claim = manualClaim();
  const claiming = start(claim.run);
  claiming.wake();
  for (let i = 0; i < 5; i++) claiming.wake();
  await jest.advanceTimersByTimeAsync(5 * pollMs);
  expect(claim.run).toHaveBeenCalledTimes(1);
  claim.end();
  await jest.advanceTimersByTimeAsync(restMs);
  expect(claim.run).toHaveBeenCalledTimes(2);
  claim.end();
  await jest.advanceTimersByTimeAsync(restMs);
  expect(claim.run).toHaveBeenCalledTimes(2);
  await claiming.stop();
});

it('claims when the next delivery is due, to the millisecond', async () => {
  const claim = jest.fn(async () => ({ waiting: false, nextDueInMs: 250 }));
  const claiming = start(claim);
  claiming.wake();
  await jest.advanceTimersByTimeAsync(249);
  expect(claim).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(claim).toHaveBeenCalledTimes(2);
  await claiming.stop();
});

it('claims at once when a slot is released only if a delivery waits for a slot', async () => {
  let waiting = true;
  const claim = jest.fn(async () => ({ waiting, nextDueInMs: null }));
  const claiming = start(claim);
  claiming.slotReleased();
  expect(claim).toHaveBeenCalledTimes(0);
  claiming.wake();
  await jest.advanceTimersByTimeAsync(0);
  waiting = false;
  claiming.slotReleased();
  await jest.advanceTimersByTimeAsync(0);
  expect(claim).toHaveBeenCalledTimes(2);
  claiming.slotReleased();
  expect(claim).toHaveBeenCalledTimes(2);
  await claiming.stop();
});

it('continues after failures, thrown or rejected, and logs each outage once', async () => {
  let outage = true;
  let calls = 0;
  const claiming = start(() => {
    calls += 1;
    if (!outage) return Promise.resolve(nothing);
    if (calls % 2) throw new Error('Redis is unavailable');
    return Promise.reject(new Error('Redis is unavailable'));
  });
  await jest.advanceTimersByTimeAsync(5 * pollMs);
  expect(calls).toBe(5);
  expect(claiming.lines).toHaveLength(1);
  outage = false;
  await jest.advanceTimersByTimeAsync(pollMs);
  outage = true;
  await jest.advanceTimersByTimeAsync(pollMs);
  expect(claiming.lines).toHaveLength(2);
  await claiming.stop();
});

it('stops for good once the current run has ended', async () => {
  const claim = manualClaim();
  const claiming = start(claim.run);
  claiming.wake();
  claiming.wake();
  const stopped = jest.fn();
  const stopping = claiming.stop().then(stopped);
  await jest.advanceTimersByTimeAsync(5 * pollMs);
  expect(stopped).not.toHaveBeenCalled();
  claim.end();
  await jest.advanceTimersByTimeAsync(restMs);
  await stopping;
  claiming.wake();
  await jest.advanceTimersByTimeAsync(5 * pollMs);
  expect(claim.run).toHaveBeenCalledTimes(1);
});
