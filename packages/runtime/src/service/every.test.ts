import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { every } from './every.ts';

const intervalMs = 1_000;
const silent = { warn: () => {} };

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Returns a task whose runs end on the test's request. */
function manualTask() {
  let end = () => {};
  const run = jest.fn(() => new Promise<void>((resolve) => (end = resolve)));
  return { run, end: () => end() };
}

it('runs after each interval, never twice at once', async () => {
  const task = manualTask();
  const stop = every(intervalMs, 'test', silent, task.run);
  await jest.advanceTimersByTimeAsync(intervalMs - 1);
  expect(task.run).toHaveBeenCalledTimes(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(task.run).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(10 * intervalMs);
  expect(task.run).toHaveBeenCalledTimes(1);
  task.end();
  await jest.advanceTimersByTimeAsync(intervalMs);
  expect(task.run).toHaveBeenCalledTimes(2);
  task.end();
  await stop();
});

it('runs hourly tasks five minutes after its start, and then each hour', async () => {
  const hourMs = 3_600_000;
  const task = jest.fn(async () => {});
  const stop = every(hourMs, 'test', silent, task);
  await jest.advanceTimersByTimeAsync(300_000);
  expect(task).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(hourMs - 1);
  expect(task).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(task).toHaveBeenCalledTimes(2);
  await stop();
});

it('continues after failures, synchronous or not, and logs them', async () => {
  const warn = jest.fn<(facts: object, message: string) => void>();
  const task = jest
    .fn<() => Promise<void>>()
    .mockImplementationOnce(() => {
      throw new Error('at once');
    })
    .mockRejectedValueOnce(new Error('later'))
    .mockResolvedValue();
  const stop = every(intervalMs, 'cleanup', { warn: warn as never }, task);
  await jest.advanceTimersByTimeAsync(3 * intervalMs);
  await stop();
  expect(task).toHaveBeenCalledTimes(3);
  expect(warn.mock.calls.map(([facts]) => facts)).toEqual([
    { err: new Error('at once'), task: 'cleanup' },
    { err: new Error('later'), task: 'cleanup' },
  ]);
});

it('when stopped, waits for the run in progress and starts no other', async () => {
  const task = manualTask();
  const stop = every(intervalMs, 'test', silent, task.run);
  await jest.advanceTimersByTimeAsync(intervalMs);
  const stopped = jest.fn();
  const stopping = stop().then(stopped);
  await jest.advanceTimersByTimeAsync(10 * intervalMs);
  expect(stopped).not.toHaveBeenCalled();
  task.end();
  await stopping;
  await jest.advanceTimersByTimeAsync(10 * intervalMs);
  expect(task.run).toHaveBeenCalledTimes(1);
  expect(jest.getTimerCount()).toBe(0);
});

it('never runs if stopped before its first run', async () => {
  const task = manualTask();
  await every(intervalMs, 'test', silent, task.run)();
  await jest.advanceTimersByTimeAsync(10 * intervalMs);
  expect(task.run).not.toHaveBeenCalled();
});
