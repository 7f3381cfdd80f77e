import { describe, expect, it } from '@jest/globals';
import { type Color, cardColors, colorOf, contrast } from './card-colors.ts';
import { cardDocument } from './card-document.ts';
import type { PageMetadata } from './card-scripts.ts';

const page: PageMetadata = {
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

describe('the colours of a card', () => {
  const parse = (hex: string): Color => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never;
  const steps = [0, 51, 102, 153, 204, 255];
  const every = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue): Color => [red, green, blue])));

  it('are told apart as WCAG tells them', () => {
    expect(contrast([255, 255, 255], [0, 0, 0])).toBeCloseTo(21);
    expect(contrast([118, 118, 118], [255, 255, 255])).toBeCloseTo(4.54, 2);
    expect(contrast([255, 0, 0], [255, 255, 255])).toBeCloseTo(4, 1);
  });

  it('can be read around any colour, light and dark', () => {
    for (const own of every) {
      for (const theme of ['light', 'dark'] as const) {
        const colors = cardColors(own, theme);
        const on = (name: 'title' | 'text' | 'accent') => contrast(parse(colors[name]), parse(colors.background));
        expect(on('title')).toBeGreaterThanOrEqual(7);
        expect(on('text')).toBeGreaterThanOrEqual(4.5);
        expect(on('accent')).toBeGreaterThanOrEqual(3);
        expect(contrast(parse(colors.onAccent), parse(colors.accent))).toBeGreaterThanOrEqual(4.2);
      }
    }
  });

  it('are always the same for a site that names none', () => {
    expect(colorOf('example.com')).toEqual(colorOf('example.com'));
    const sites = Array.from({ length: 100 }, (_, index) => String(colorOf(`site-${index}.example`)));
    expect(new Set(sites).size).toBeGreaterThan(4);
  });
});

describe('the document of a card', () => {
  const make = (more: Partial<PageMetadata> = {}, request: { title?: string; description?: string } = {}) =>
    cardDocument({ ...page, ...more }, { theme: 'auto', ...request });

  it('has text of the page and of the client as text', () => {
    const hostile = `"'><script>alert(1)</script>&amp;</style>`;
    const escaped = '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&lt;/style&gt;';
    const html = make({ title: hostile, description: `${hostile}!`, siteName: hostile, host: hostile, lang: hostile });
    expect(html).not.toContain('<script');
    expect(html.split(escaped).length - 1).toBeGreaterThanOrEqual(4);
    expect(make({}, { title: hostile })).toContain(`>${escaped}</h1>`);
    expect(make({ image: 'https://example.com/"onerror="alert(1)' })).toContain('/&quot;onerror=&quot;alert(1)"');
  });

  it('has the client’s words over the page’s, and the host for want of others', () => {
    expect(make({}, { title: 'Another', description: 'More' })).toMatch(/>Another<\/h1><p[^>]*>More</);
    expect(make({}, { description: '' })).not.toContain('<p');
    expect(make({ title: '', description: '', siteName: '' })).toContain('>example.com</h1>');
    expect(make({ title: '', description: '', siteName: '', host: '' })).toContain('>Untitled</h1>');
  });

  it('has no more of a text than fits on any card, in one line, without what is no text', () => {
    const html = make({ title: `${'𝒳'.repeat(5_000)}`, description: 'a\u0000b\n\nc\ud800d' });
    expect(html).toContain(`>${'𝒳'.repeat(300)}…</h1>`);
    expect(html).toContain('>a b c d</p>');
  });

  it('lies from right to left where its title does', () => {
    expect(make({ title: 'שלום world' })).toContain('dir="rtl">\n<meta');
    expect(make({ title: '1. مرحبا' })).toContain('dir="rtl">\n<meta');
    expect(make({ title: 'Hello שלום' })).toContain('dir="ltr">\n<meta');
  });
});
