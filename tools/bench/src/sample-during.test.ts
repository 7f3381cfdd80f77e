import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sampleDuring } from './sample-during.ts';

const unheard: unknown[] = [];
const listen = (error: unknown) => void unheard.push(error);
beforeEach(() => {
  unheard.length = 0;
  process.on('unhandledRejection', listen);
});
afterEach(() => {
  process.off('unhandledRejection', listen);
});

it('samples until the work has ended', async () => {
  let reads = 0;
  const samples = await sampleDuring(sleep(50), 5, () => ++reads);
  expect(samples).toEqual(Array.from({ length: reads }, (_, i) => i + 1));
  expect(reads).toBeGreaterThan(0);
});

it('throws the error of work that fails between two samples, which is never unhandled', async () => {
  const work = async () => {
    await sleep(5);
    throw new Error('the client is closed');
  };
  await expect(sampleDuring(work(), 50, () => 1)).rejects.toThrow('the client is closed');
  expect(unheard).toEqual([]);
});

it('throws the error of a sample once the work has ended', async () => {
  let ended = false;
  const work = async () => {
    await sleep(30);
    ended = true;
    throw new Error('the client is closed');
  };
  const read = () => {
    throw new Error('the process is gone');
  };
  await expect(sampleDuring(work(), 5, read)).rejects.toThrow('the client is closed');
  expect(ended).toBe(true);
  expect(unheard).toEqual([]);
});
