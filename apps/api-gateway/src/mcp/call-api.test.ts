import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FairShare } from '@capture/runtime/fair-share';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, apiOf } from './call-api.ts';

const text = 'é€𝄞\n'.repeat(200_000);

/** Downloads that have no response yet. */
const held: ServerResponse[] = [];
const server = createServer((req, res) => {
  if (req.url?.startsWith('/files/held')) held.push(res);
  else res.end(text);
});
let api: Api;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const slots = new FairShare({ perOwner: 2 });
  api = apiOf(origin, 'key', new AbortController().signal, (work) => slots.run('acc_1', work));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const url = (name: string) => `https://public.example/files/${name}?signature=1`;

describe('textPart', () => {
  it.each([0, 1, 3, 299_999, 799_990, 800_000, 900_000])('reads from character %d on', async (offset) => {
    const part = await api.textPart(url('text'), { offset, length: 30_001 });
    expect(part.total).toBe(text.length);
    expect(part.text === text.slice(offset, offset + 30_001)).toBe(true);
  });
});

it('loads no more files at once than there are slots, until each file is used', async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const loading = Array.from({ length: 5 }, () =>
    api.withFile(url('held'), async (bytes) => {
      await finished;
      return bytes.toString();
    }),
  );
  await waitUntil(() => held.length === 2, { what: 'two downloads' });
  for (const res of held) res.end('file');
  await api.json('GET', '/other').catch(() => undefined);
  expect(held).toHaveLength(2);
  finish();
  for (let seen = 2; seen < 5; seen += 1) {
    await waitUntil(() => held.length > seen, { what: 'the next download' });
    held[seen]?.end('file');
  }
  expect(await Promise.all(loading)).toEqual(Array(5).fill('file'));
});
