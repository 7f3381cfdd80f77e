import { openPageServer, type PageServer } from '@capture/testing/page-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { openTestWorker, type Pixels, readPixels, type TestWorker } from '../worker.test-support.ts';

const images = 40;
const heroHeight = 720;

describe('a whole page', () => {
  let server: PageServer;
  let worker: TestWorker;

  beforeAll(async () => {
    const image = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#ff0000' } })
      .jpeg()
      .toBuffer();
    const picture = { delayMs: 30, headers: { 'content-type': 'image/jpeg' }, body: image };
    const paths = Array.from({ length: images }, (_, index) => `/image-${index}`);
    server = await openPageServer(Object.fromEntries(paths.map((path) => [path, picture])));
    worker = await openTestWorker({ allow: `127.0.0.1/32:${server.port}` });
  });
  afterAll(async () => {
    await worker.close();
    await server.close();
  });

  async function capture(body: string, options: Parameters<TestWorker['capture']>[1] = {}): Promise<Pixels> {
    server.serve({ '/page': `<!doctype html><style>body { margin: 0 }</style>${body}` });
    const { picture } = await worker.capture(server.url('/page'), { full_page: true, ...options });
    return readPixels(picture);
  }

  const rows = (row: (index: number) => string) =>
    Array.from({ length: images }, (_, index) => `<div style="height:500px">${row(index)}</div>`).join('');
  const painted = (pixels: Pixels, top = 0) =>
    Array.from({ length: images }, (_, index) => pixels.at(150, top + index * 500 + 200)).filter((colour) =>
      /^#f[a-f]0[0-5]0[0-5]$/.test(colour),
    ).length;

  it('paints what loads lazily, beyond 16,384 pixels too', async () => {
    const pixels = await capture(
      rows((index) => `<img loading="lazy" width="300" height="400" src="/image-${index}">`),
    );
    expect([pixels.width, pixels.height]).toEqual([1280, images * 500]);
    expect(painted(pixels)).toBe(images);
  });

  it('paints what a script loads when it comes into view', async () => {
    const observer = `<script>
      const observer = new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => {
        if (isIntersecting) target.src = target.dataset.src;
      }));
      document.querySelectorAll('img').forEach((image) => observer.observe(image));
    </script>`;
    const listener = `<script>
      const show = () => document.querySelectorAll('img:not([src])').forEach((image) => {
        if (image.getBoundingClientRect().top < innerHeight) image.src = image.dataset.src;
      });
      addEventListener('scroll', show);
      show();
    </script>`;
    const body = rows((index) => `<img width="300" height="400" data-src="/image-${index}">`);
    expect(painted(await capture(body + observer))).toBe(images);
    expect(painted(await capture(body + listener))).toBe(images);
  });

  it('keeps the size of what is measured in the viewport, and never lays the page out anew', async () => {
    const pixels = await capture(`
      <div style="height:100vh;background:#00ff00"></div>
      <div id="below" style="height:3000px;background:#0000ff"></div>
      <script>
        for (const event of ['resize', 'orientationchange']) addEventListener(event, () => { below.style.background = '#ff0000' });
        new ResizeObserver(([entry]) => { if (entry.contentRect.width !== 1280) below.style.background = '#ff0000' }).observe(below);
        matchMedia('(orientation: portrait)').onchange = () => { below.style.background = '#ff0000' };
      </script>`);
    expect(pixels.height).toBe(heroHeight + 3_000);
    expect(pixels.at(640, heroHeight - 1)).toBe('#00ff00');
    expect(pixels.at(640, heroHeight)).toBe('#0000ff');
    expect(pixels.at(640, heroHeight + 2_999)).toBe('#0000ff');
  });

  it('shows what is fixed or sticky once, where it is at the top', async () => {
    const pixels = await capture(`
      <div style="position:fixed;top:0;width:100%;height:50px;background:#ff0000"></div>
      <div style="height:200px"></div>
      <div style="position:sticky;top:60px;height:50px;background:#00ff00"></div>
      <div style="height:5000px;background:#0000ff"></div>`);
    const column = Array.from({ length: pixels.height }, (_, y) => pixels.at(640, y));
    const where = (colour: string) => [column.indexOf(colour), column.lastIndexOf(colour)];
    expect(where('#ff0000')).toEqual([0, 49]);
    expect(where('#00ff00')).toEqual([200, 249]);
    expect(where('#0000ff')).toEqual([250, 5_249]);
  });

  it('draws sections that are left out while they are out of view', async () => {
    const section =
      '<section style="content-visibility:auto;contain-intrinsic-size:auto 500px"><div style="height:1000px;background:#ff0000">';
    const pixels = await capture(
      `<div style="height:2000px"></div>${section}</div></section>${section}</div></section>`,
    );
    expect(pixels.height).toBe(4_000);
    expect(pixels.at(640, 2_500)).toBe('#ff0000');
    expect(pixels.at(640, 3_500)).toBe('#ff0000');
  });

  it('scrolls through a page that scrolls smoothly', async () => {
    const style = '<style>html { scroll-behavior: smooth }</style>';
    const body = rows((index) => `<img loading="lazy" width="300" height="400" src="/image-${index}">`);
    expect(painted(await capture(style + body))).toBe(images);
  });

  it('is no smaller than the viewport, and has the asked width', async () => {
    const short = await capture('<div style="height:10px;width:3000px;background:#ff0000">', {
      device_scale_factor: 2,
    });
    expect([short.width, short.height]).toEqual([2560, 1440]);
  });

  it('of a feed without an end has one', async () => {
    const pixels = await capture(`<div id="feed"></div><script>
      const grow = () => {
        if (scrollY + innerHeight + 2000 < document.documentElement.scrollHeight) return;
        for (let more = 0; more < 5; more += 1) feed.append(Object.assign(document.createElement('p'), { style: 'height:500px' }));
      };
      addEventListener('scroll', grow);
      grow();
    </script>`);
    expect(pixels.height).toBeGreaterThan(10_000);
    expect(pixels.height).toBeLessThan(30_000);
  });

  it.each([
    [
      'over 100 million pixels',
      40_000,
      { width: 2_000, device_scale_factor: 1.5 },
      /3000 × 60000 pixels: at most 100 million/,
    ],
    ['over 100,000 pixels high', 100_001, { width: 100 }, /100 × 100001 pixels: at most .* a height of 100,000/],
    ['over what a JPEG can be', 65_536, { width: 100, format: 'jpeg' }, /jpeg ends at 65,535 pixels a side; use png/],
    ['over what a WebP can be', 16_384, { width: 100, format: 'webp' }, /webp ends at 16,383 pixels a side; use png/],
  ] as const)('%s is PAGE_TOO_LARGE', async (_, height, options, message) => {
    server.serve({ '/tall': `<!doctype html><style>body { margin: 0 }</style><div style="height:${height}px">` });
    expect(await worker.fail(server.url('/tall'), { full_page: true, ...options })).toEqual({
      code: 'PAGE_TOO_LARGE',
      message: expect.stringMatching(message),
    });
  });

  it('of 100,000 pixels is drawn to its last row', async () => {
    const pixels = await capture(
      '<div style="height:99999px;background:#0000ff"></div><div style="height:1px;background:#ff0000">',
      {
        width: 100,
      },
    );
    expect([pixels.width, pixels.height]).toEqual([100, 100_000]);
    expect([pixels.at(50, 99_998), pixels.at(50, 99_999)]).toEqual(['#0000ff', '#ff0000']);
  });

  it('whatever the page, a viewport over the limits is refused before anything is loaded', async () => {
    const before = server.hits();
    const options = { width: 7_680, height: 4_320, device_scale_factor: 4 };
    expect(await worker.fail(server.url('/page'), options)).toMatchObject({ code: 'PAGE_TOO_LARGE' });
    expect(server.hits()).toBe(before);
  });
});
