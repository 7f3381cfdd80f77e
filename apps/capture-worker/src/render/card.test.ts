import type { CardMetadata } from '@capture/page-scripts/world/card/read-metadata';
import { describe, expect, it } from '@jest/globals';
import { type Color, cardColors, contrast, defaultColor } from './card-colors.ts';
import { cardDocument } from './card-document.ts';

const page: CardMetadata = {
  title: 'A title',
  description: 'A description.',
  siteName: 'A site',
  host: 'example.com',
  lang: 'en',
  image: 'https://example.com/image.png',
  icon: 'https://example.com/icon.png',
  color: [14, 165, 233],
  dark: false,
};

describe('cardColors', () => {
  const parse = (hex: string): Color => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never;
  const steps = [0, 51, 102, 153, 204, 255];
  const every = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue): Color => [red, green, blue])));

  it('measures contrast as WCAG defines it', () => {
    expect(contrast([255, 255, 255], [0, 0, 0])).toBeCloseTo(21);
    expect(contrast([118, 118, 118], [255, 255, 255])).toBeCloseTo(4.54, 2);
    expect(contrast([255, 0, 0], [255, 255, 255])).toBeCloseTo(4, 1);
  });

  it('has sufficient contrast for any site colour, light and dark', () => {
    for (const siteColor of every) {
      for (const theme of ['light', 'dark'] as const) {
        const colors = cardColors(siteColor, theme);
        const on = (name: 'title' | 'text' | 'accent') => contrast(parse(colors[name]), parse(colors.background));
        expect(on('title')).toBeGreaterThanOrEqual(7);
        expect(on('text')).toBeGreaterThanOrEqual(4.5);
        expect(on('accent')).toBeGreaterThanOrEqual(3);
        expect(contrast(parse(colors.onAccent), parse(colors.accent))).toBeGreaterThanOrEqual(4.2);
      }
    }
  });

  it('always picks the same colour for a site without one', () => {
    expect(defaultColor('example.com')).toEqual(defaultColor('example.com'));
    const sites = Array.from({ length: 100 }, (_, index) => String(defaultColor(`site-${index}.example`)));
    expect(new Set(sites).size).toBeGreaterThan(4);
  });
});

describe('cardDocument', () => {
  const make = (more: Partial<CardMetadata> = {}, request: { title?: string; description?: string } = {}) =>
    cardDocument({ ...page, ...more }, { theme: 'auto', ...request });

  it('escapes text of the page and of the client', () => {
    const hostile = `"'><script>alert(1)</script>&amp;</style>`;
    const escaped = '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&lt;/style&gt;';
    const html = make({ title: hostile, description: `${hostile}!`, siteName: hostile, host: hostile, lang: hostile });
    expect(html).not.toContain('<script');
    expect(html.split(escaped).length - 1).toBeGreaterThanOrEqual(4);
    expect(make({}, { title: hostile })).toContain(`>${escaped}</h1>`);
    expect(make({ image: 'https://example.com/"onerror="alert(1)' })).toContain('/&quot;onerror=&quot;alert(1)"');
  });

  it('prefers the client’s text to the page’s, and falls back to the host', () => {
    expect(make({}, { title: 'Another', description: 'More' })).toMatch(/>Another<\/h1><p[^>]*>More</);
    expect(make({}, { description: '' })).not.toContain('<p');
    expect(make({ title: '', description: '', siteName: '' })).toContain('>example.com</h1>');
    expect(make({ title: '', description: '', siteName: '', host: '' })).toContain('>Untitled</h1>');
  });

  it('cuts texts to what fits on a card, on one line, without control characters and lone surrogates', () => {
    const html = make({ title: `${'𝒳'.repeat(5_000)}`, description: 'a\u0000b\n\nc\ud800d' });
    expect(html).toContain(`>${'𝒳'.repeat(300)}…</h1>`);
    expect(html).toContain('>a b c d</p>');
  });

  it('is laid out right to left when its title is', () => {
    expect(make({ title: 'שלום world' })).toContain('dir="rtl">\n<meta');
    expect(make({ title: '1. مرحبا' })).toContain('dir="rtl">\n<meta');
    expect(make({ title: 'Hello שלום' })).toContain('dir="ltr">\n<meta');
  });
});
