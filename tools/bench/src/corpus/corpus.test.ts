import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { compareImages, isColour } from '../compare-images.ts';
import { countPainted } from '../sections/full-page.ts';
import { noisyJpeg, noisyPng } from './images.ts';
import { centerOf, colourOf, lazyImages, longHeight } from './long-page.ts';
import { applicationData, fontWeights, jpegs, measuredPages, mixedPages, pages, pngs } from './pages.ts';
import { sitePage, sitePages, siteScript, siteStyle } from './site.ts';

const count = (text: string | undefined, what: RegExp) => text?.match(what)?.length ?? 0;

describe('the corpus', () => {
  it('has every page that is measured', () => {
    for (const page of [...measuredPages, ...mixedPages, 'spaslow', 'hang']) expect(pages[page]).toContain('<body');
  });

  it('shows on each page what its name promises', () => {
    expect(count(pages.text, /<p>/g)).toBe(200);
    expect(count(pages.images, /<img src="\/images\/\d+\.png"/g)).toBe(pngs);
    expect(count(pages.images, /<img src="\/images\/\d+\.jpg"/g)).toBe(jpegs);
    expect(JSON.parse(applicationData)).toHaveLength(3_000);
    expect(count(pages.long, /loading="lazy"/g)).toBe(lazyImages);
    expect(pages.long).toContain(`height:${longHeight}px`);
    expect(count(pages.fonts, /@font-face/g)).toBe(fontWeights.length);
  });

  it('has different pages on its site, which share a style sheet and a script of some size', () => {
    const made = new Set(Array.from({ length: sitePages }, (_, index) => sitePage(index)));
    expect(made.size).toBe(sitePages);
    for (const each of [siteStyle, siteScript]) expect(each.length).toBeGreaterThan(60_000);
  });

  it('has the same images in every run, of the declared sizes', async () => {
    const [png, again, other, jpeg] = await Promise.all([noisyPng(1), noisyPng(1), noisyPng(2), noisyJpeg(1)]);
    expect(png.equals(again)).toBe(true);
    expect(png.equals(other)).toBe(false);
    expect(png.length / 1_000).toBeCloseTo(250, -1.7);
    expect(jpeg.length / 1_000).toBeCloseTo(110, -1.4);
  });
});

describe('the images of the long page', () => {
  const indexes = Array.from({ length: lazyImages }, (_, index) => index);

  it('lie on the page, apart from each other, each in a unique colour that is not that of the page', () => {
    expect(centerOf(lazyImages - 1).y + 200).toBeLessThan(longHeight);
    const colours = indexes.map(colourOf);
    for (const [index, colour] of colours.entries()) {
      expect(isColour(colour, { r: 255, g: 255, b: 255 })).toBe(false);
      for (const other of colours.slice(index + 1)) expect(isColour(colour, other)).toBe(false);
    }
    for (const index of indexes.slice(1)) expect(centerOf(index).y - centerOf(index - 1).y).toBeGreaterThan(400);
  });

  it('are counted where they are drawn', async () => {
    const drawn = [0, 7, 39];
    const patches = drawn.map((index) => {
      const { x, y } = centerOf(index);
      const create = { width: 100, height: 100, channels: 3 as const, background: colourOf(index) };
      return { input: { create }, left: x - 50, top: y - 50 };
    });
    const blank = { width: 1_280, height: longHeight, channels: 3 as const, background: '#fff' };
    expect(await countPainted(await sharp({ create: blank }).composite(patches).png().toBuffer())).toBe(3);
    expect(
      await countPainted(
        await sharp({ create: { ...blank, height: 800 } })
          .png()
          .toBuffer(),
      ),
    ).toBe(0);
    const dense = { ...blank, width: 2_560, height: 800 };
    await expect(countPainted(await sharp({ create: dense }).png().toBuffer())).rejects.toThrow(
      '2560 px wide, not 1280',
    );
  });
});

describe('comparing images', () => {
  const page = (paint: string, height = 800) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="${height}"><rect width="1280" height="${height}" fill="#fff"/>${paint}</svg>`,
      ),
    )
      .png()
      .toBuffer();
  const text = (dx: number) =>
    Array.from(
      { length: 30 },
      (_, row) => `<rect x="${40 + dx}" y="${40 + row * 24}" width="700" height="2" fill="#222"/>`,
    ).join('');

  it('takes images for equal if they differ a little', async () => {
    expect(await compareImages(await page(text(0.4)), await page(text(0)))).toBeNull();
  });

  it('finds missing parts, an empty image, and another size', async () => {
    const box = '<rect x="700" y="300" width="300" height="200" fill="#2a6"/>';
    const whole = await page(text(0) + box);
    expect(await compareImages(await page(text(0)), whole)).toMatch(/^\d+\.\d % of it differ$/);
    expect(await compareImages(await page(''), whole)).toMatch(/differ$/);
    expect(await compareImages(await page(text(0) + box, 720), whole)).toBe('it is 1280×720, not 1280×800');
  });
});
