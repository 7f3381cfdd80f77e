import { expect, it } from '@jest/globals';
import { linkOf, tagOf } from './link-of.ts';

it('leaves out options that a link cannot have, and names those that change the image', () => {
  const values = {
    url: 'https://example.com/',
    width: 640,
    preset: 'shop@2',
    format: 'jpg',
    async: true,
    metadata: { order: '1' },
    headers: { a: 'b' },
    delay_ms: undefined,
  };
  expect(linkOf('screenshot', values)).toEqual({
    link: { file: 'screenshot.jpeg', parameters: { url: 'https://example.com/', width: 640, preset: 'shop@2' } },
    missing: ['headers'],
  });
  expect(linkOf('og_image', {}).link.file).toBe('og-image.png');
  expect(linkOf('pdf', {}).link.file).toBe('pdf.pdf');
});

it('writes HTML that no URL can leave', () => {
  const link = { url: 'https://captures.test/r/k/s/screenshot.png?a=1&url=x', width: 640, height: null };
  expect(tagOf('screenshot', 'https://example.com/a', link)).toBe(
    '<img src="https://captures.test/r/k/s/screenshot.png?a=1&amp;url=x" width="640" alt="example.com">',
  );
  expect(tagOf('pdf', '"><script>', { ...link, width: null })).toBe(
    '<a href="https://captures.test/r/k/s/screenshot.png?a=1&amp;url=x">PDF of &quot;&gt;&lt;script&gt;</a>',
  );
});
