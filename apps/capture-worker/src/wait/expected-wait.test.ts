import type { Look } from '@capture/page-scripts/world/wait/look';
import { describe, expect, it } from '@jest/globals';
import type { InFlightRequest } from '../page/requests-in-flight.ts';
import { relevanceOf } from './expected-wait.ts';
import { lookAt } from './wait.test-support.ts';

const view = (impression: Look['impression'], more: Partial<Look> = {}) => lookAt({ impression, ...more });

/** A `GET` by `fetch`. Hosts of `shop.example` are the page's own site. */
const request = (url: string, more: Partial<InFlightRequest> = {}): InFlightRequest => ({
  ...{ url, from: url, method: 'GET', type: 'fetch', inFrame: false, sentAt: 0, repeats: 1 },
  isOwn: new URL(url).hostname.endsWith('shop.example'),
  ...more,
});

describe('how long the page waits for a request', () => {
  it.each([
    ['https://shop.example/search?q=apple+watch', 'likely'],
    ['https://api.shop.example/watch/collect/pixel-9', 'likely'],
    ['https://shop.example/stream', 'likely'],
    ['https://shop.example/socket.io/?EIO=4&transport=polling', 'background'],
    ['https://cdn.example/watches/stream-of-stars.json?from=analytics', 'likely'],
    ['https://cdn.example/v2/collect?id=7', 'background'],
    ['https://stats.g.doubleclick.net/j/x', 'background'],
    ['https://analytics.other.example/v1', 'background'],
  ])('of a page with gaps: %s is %s', (url, relevance) => {
    expect(relevanceOf(request(url), view('thin'))).toBe(relevance);
  });

  it.each([
    ['https://shop.example/search?q=apple+watch', {}, 'possible'],
    ['https://shop.example/events/today', {}, 'possible'],
    ['https://shop.example/api/poll', {}, 'background'],
    ['https://shop.example/api/events', { method: 'POST' }, 'background'],
    ['https://shop.example/js/analytics.min.js', { type: 'script' }, 'background'],
  ] as const)('of a complete page: %s %j is %s', (url, more, relevance) => {
    expect(relevanceOf(request(url, more), view('finished'))).toBe(relevance);
  });

  it('is the time of a font in use, unless the font can no longer be shown', () => {
    const font = request('https://shop.example/a.woff2', { type: 'font' });
    expect(relevanceOf(font, view('finished', { fonts: true }))).toBe('visible');
    expect(relevanceOf(font, view('finished', { optionalFonts: true }))).toBe('background');
  });

  it('waits for images that scripts load as for data, and not for tracking pixels', () => {
    const relevance = (url: string) => relevanceOf(request(url, { type: 'image' }), view('thin', { unplaced: [url] }));
    expect(relevance('https://cdn.example/hero.jpg')).toBe('likely');
    expect(relevance('https://cdn.example/pixel.gif?v=1')).toBe('background');
  });
});
