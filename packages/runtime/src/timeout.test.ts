import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { untilAborted, withTimeout } from './timeout.ts';

const never = new Promise<never>(() => {});

describe('withTimeout', () => {
  it('returns the result of work that ends in time', async () => {
    expect(await withTimeout(60_000, Promise.resolve('done'), () => 'late')).toBe('done');
  });

  it('returns the result of onTimeout for work that takes longer', async () => {
    expect(await withTimeout(5, never, () => 'late')).toBe('late');
  });

  it('rejects with the error of onTimeout', async () => {
    const timedOut = withTimeout(5, never, () => {
      throw new Error('timed out');
    });
    await expect(timedOut).rejects.toThrow('timed out');
  });

  it('rejects as the work does', async () => {
    await expect(withTimeout(60_000, Promise.reject(new Error('failed')), () => 'late')).rejects.toThrow('failed');
  });

  it('ignores a rejection after the timeout', async () => {
    const work = sleep(20).then(() => Promise.reject(new Error('too late to matter')));
    expect(await withTimeout(1, work, () => 'late')).toBe('late');
    // An unhandled rejection would fail this test.
    await sleep(30);
  });

  it('returns falsy results unchanged', async () => {
    expect(await withTimeout(60_000, Promise.resolve(null), () => 'late')).toBeNull();
  });
});

describe('untilAborted', () => {
  const { signal } = new AbortController();

  it('returns the result of work that ends first, and leaves no listener behind', async () => {
    expect(await untilAborted(signal, Promise.resolve('done'))).toBe('done');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects as the work does', async () => {
    await expect(untilAborted(signal, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  });

  it("rejects with the signal's reason when it is aborted", async () => {
    const controller = new AbortController();
    const waiting = untilAborted(controller.signal, never);
    controller.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('rejects at once when the signal is aborted already', async () => {
    await expect(untilAborted(AbortSignal.abort(new Error('stopped')), never)).rejects.toThrow('stopped');
  });
});
