import { expect, it } from '@jest/globals';
import { waitUntil } from '../wait-until.ts';
import { openPageServer } from './page-server.ts';

it('serves its pages, counts requests, and closes hanging ones', async () => {
  const pages = await openPageServer({
    '/': '<h1>hello</h1>',
    '/gone': { status: 410, headers: { 'content-type': 'text/plain' }, body: 'gone' },
    '/echo': (request, response) => response.end(request.method),
    '/hang': 'hang',
  });
  expect(await (await fetch(pages.url('/?a=1'))).text()).toBe('<h1>hello</h1>');
  const gone = await fetch(pages.url('/gone'));
  expect([gone.status, gone.headers.get('content-type'), await gone.text()]).toEqual([410, 'text/plain', 'gone']);
  expect(await (await fetch(pages.url('/echo'), { method: 'PUT' })).text()).toBe('PUT');
  expect((await fetch(pages.url('/new'))).status).toBe(404);
  pages.serve({ '/new': 'now' });
  expect(await (await fetch(pages.url('/new', 'localhost'))).text()).toBe('now');
  const hanging = expect(fetch(pages.url('/hang'))).rejects.toThrow('fetch failed');
  await waitUntil(() => pages.hits('/hang') === 1, { what: 'the hanging request' });
  expect([pages.hits('/'), pages.hits('/new'), pages.hits()]).toEqual([1, 2, 6]);
  await pages.close();
  await hanging;
});
