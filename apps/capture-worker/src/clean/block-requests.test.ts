import { expect, it } from '@jest/globals';
import { BlockedRequests } from './block-requests.ts';

it('counts every blocked request, and keeps URLs of a million characters together', () => {
  const blocked = new BlockedRequests();
  const long = `https://ads.example/?${'\\'.repeat(600_000)}`;
  for (const url of [long, long, `${long}2`, 'https://ads.example/banner']) blocked.add(url);
  expect(blocked.count).toBe(4);
  expect(blocked.hosts(10)).toEqual({ 'ads.example': 4 });
  expect(blocked.urls).toEqual([long, 'https://ads.example/banner']);
});
