import { expect, it } from '@jest/globals';
import { respell } from './respell.ts';

it.each([
  [{ format: 'jpg' }, { format: 'jpeg' }],
  [{ url: 'example.com' }, { url: 'https://example.com' }],
  [{ url: 'shop.example.com:8080/cart?a=b' }, { url: 'https://shop.example.com:8080/cart?a=b' }],
  [
    { full_page: 1, scroll: 0 },
    { full_page: true, scroll: false },
  ],
  [{ url: 'bücher.example#top' }, { url: 'https://bücher.example#top' }],
])('%j is %j', (given, meant) => {
  expect(respell(given)).toEqual(meant);
});

it.each([
  [{ format: 'gif' }],
  [{ url: 'http://example.com' }],
  [{ url: 'ada:secret@example.com' }],
  [{ url: 'javascript:alert(1)' }],
  [{ url: 'mailto:ada@example.com' }],
  [{ url: 'localhost' }],
  [{ url: '/cart' }],
  [{ url: 'not a url' }],
  [{ url: 7 }],
  [{ delay_ms: 1, full_page: 2, dark_mode: 'true' }],
  [null],
  ['example.com'],
  [[{ url: 'example.com' }]],
])('%j is not changed', (given) => {
  expect(respell(given)).toEqual(given);
});
