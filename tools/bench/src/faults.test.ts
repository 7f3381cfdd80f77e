import { expect, it } from '@jest/globals';
import { Faults } from './faults.ts';

it('reports each fault once with its count, and returns the results of successes', async () => {
  const faults = new Faults();
  const fail = async () => {
    throw new Error('it hangs');
  };
  expect(await faults.attempt('a peer', async () => 7)).toBe(7);
  expect(await faults.attempt('a peer', fail)).toBeNull();
  await faults.attempt('a peer', fail);
  await faults.attempt('another', fail);
  expect(faults.notes).toEqual(['FAILED: a peer: it hangs (2 times)', 'FAILED: another: it hangs']);
});
