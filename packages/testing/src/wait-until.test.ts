import { expect, it } from '@jest/globals';
import { waitUntil } from './wait-until.ts';

it('returns what the condition gave, once it gave something', async () => {
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

it('fails with what was waited for and what was seen at last', async () => {
  await expect(waitUntil(() => 0, { what: 'a miracle', timeoutMs: 1 })).rejects.toThrow(
    'waited 1 ms for a miracle; at last it gave 0',
  );
  const throwing = () => {
    throw new Error('connection refused');
  };
  await expect(waitUntil(throwing, { what: 'an answer', timeoutMs: 1 })).rejects.toThrow('connection refused');
});
