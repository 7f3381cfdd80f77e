import { expect, it } from '@jest/globals';
import { BlockedRequests } from './block-requests.ts';

it('counts every blocked request, and keeps no long URL: all are sent to the browser at once', () => {
  const blocked = new BlockedRequests();
  const long = `https://ads.example/?${'\\'.repeat(30_000)}`;
  for (const url of ['https://ads.example/banner', long, `${long}2`]) blocked.add(url);
  expect(blocked.count).toBe(3);
  expect(blocked.hosts(10)).toEqual({ 'ads.example': 3 });
  expect(blocked.urls).toEqual(['https://ads.example/banner']);
});
