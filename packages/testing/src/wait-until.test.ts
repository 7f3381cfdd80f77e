import { expect, it } from '@jest/globals';
import { waitUntil } from './wait-until.ts';

it('returns the first truthy value of the condition', async () => {
  let calls = 0;
  const result = await waitUntil(
    () => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
      return calls > 2 && `call ${calls}`;
    },
    { what: 'the third call' },
  );
  expect(result).toBe('call 3');
});

it('throws with the condition in words and the last result', async () => {
  await expect(waitUntil(() => 0, { what: 'a miracle', timeoutMs: 1 })).rejects.toThrow(
    'waited 1 ms for a miracle; the last check returned 0',
  );
  const throwing = () => {
    throw new Error('connection refused');
  };
  await expect(waitUntil(throwing, { what: 'a response', timeoutMs: 1 })).rejects.toThrow('connection refused');
});
