import { readFile } from 'node:fs/promises';
import { forms } from '@capture/contract/forms/forms';
import { expect, it } from '@jest/globals';
import { Admission, type Limit, limits } from './admission.ts';

const admission = new Admission(forms.B, { request: { perAccount: 1 }, receiverTest: { perAccount: 2, atOnce: 3 } });

it('keeps the work of one account waiting for its turn, and not the work of other accounts', async () => {
  const release = await admission.take('request', 'a');
  let started = false;
  const next = admission.run('request', 'a', async () => {
    started = true;
  });
  expect(await admission.run('request', 'b', async () => 'done')).toBe('done');
  expect(await admission.run('viewer', 'a', async () => 'done')).toBe('done');
  expect(started).toBe(false);
  release();
  await next;
});

it('refuses more waiting work than fits into memory', async () => {
  const release = await admission.take('request', 'a');
  const waiting = Array.from({ length: 1_000 }, () => admission.run('request', 'a', async () => 'done'));
  await expect(admission.take('request', 'a')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterS: 1 });
  release();
  expect(await Promise.all(waiting)).toEqual(Array(1_000).fill('done'));
});

it('refuses at once what may not wait, with the message and the time of its limit', async () => {
  const take = (account: string) => admission.take('receiverTest', account);
  const releases = [await take('a'), await take('a')];
  const refusal = {
    code: 'OVERLOADED',
    message: 'Too many connectivity tests are running. Try again later.',
    retryAfterS: forms.B.delivery.timeoutMs / 1_000,
  };
  await expect(take('a')).rejects.toMatchObject(refusal);
  // The number applies to all accounts together.
  await take('b');
  await expect(take('c')).rejects.toMatchObject(refusal);
  releases[0]?.();
  await take('c');
});

it('lets a request release its slot once, when it only waits', async () => {
  let others = 0;
  const exchange = {
    onlyWaits: () => {
      others += 1;
    },
  };
  await admission.hold('request', 'a', exchange);
  exchange.onlyWaits();
  exchange.onlyWaits();
  expect(others).toBe(2);
  const release = await admission.take('request', 'a');
  let started = false;
  const next = admission.run('request', 'a', async () => {
    started = true;
  });
  await new Promise(setImmediate);
  expect(started).toBe(false);
  release();
  await next;
});

it('has each limit in the documentation, with its number and its effect', async () => {
  const docs = await readFile(new URL('../../../../docs/limits.md', import.meta.url), 'utf8');
  const rows = docs.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  for (const { what, perAccount, beyond } of Object.values<Limit>(limits)) {
    const [, , atMost, documented] = rows.find((cells) => cells[1] === what) ?? [];
    expect([what, Number.parseInt(atMost ?? '', 10)]).toEqual([what, perAccount]);
    expect([what, documented]).toEqual([what, expect.stringContaining(beyond === 'waits' ? 'wait' : beyond.code)]);
  }
});
