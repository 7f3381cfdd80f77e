import { openPageServer } from '@capture/testing/network/page-server';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { openForTests, openTestWorker, type Pixels, readPixels } from '../worker.test-support.ts';
import type { PngEncoder } from './renderer.ts';

const red = '#ff0000';
const green = '#00ff00';
const blue = '#0000ff';

it('the quick and the small PNG encoder produce the same pixels', async () => {
  const text = Array.from({ length: 60 }, (_, line) => `<p>Line ${line} of a page of text.</p>`).join('');
  const server = await openPageServer({ '/page': `<!doctype html>${text}` });
  const drawWith = async (pngEncoder: PngEncoder) => {
    const worker = await openTestWorker({
      allow: `127.0.0.1/32:${server.port}`,
      pngEncoder,
      viewport: { width: 640, height: 400 },
    });
    try {
      return (await worker.render('screenshot', { url: server.url('/page') })).file;
    } finally {
      await worker.close();
    }
  };
  const [quick, small] = [await drawWith('quick'), await drawWith('small')];
  await server.close();
  expect(small.bytes.length).toBeLessThan(0.9 * quick.bytes.length);
  const pixels = (file: typeof quick) => sharp(file.bytes).raw().toBuffer();
  expect((await pixels(small)).equals(await pixels(quick))).toBe(true);
});

describe('a screenshot', () => {
  const { server, worker } = openForTests();

  /** Uses one warm page for all captures that allow it, as a worker does by default. */
  async function takeScreenshot(body: string, options: Record<string, unknown> = {}) {
    server.serve({ '/page': `<!doctype html><style>body { margin: 0 }</style>${body}` });
    const { file } = await worker.captureFor('account', { url: server.url('/page'), ...options });
    return file;
  }
  const capture = async (body: string, options: Record<string, unknown> = {}): Promise<Pixels> =>
    readPixels(await takeScreenshot(body, options));
  const size = ({ width, height }: { width: number; height: number }) => [width, height];
  const box = (colour: string, width: number, height: number, more = '') =>
    `<div style="background:${colour};width:${width}px;height:${height}px;${more}"></div>`;

  /** Returns the colours of a pixel column from top to bottom, without repetitions. */
  function column(pixels: Pixels, x: number): string[] {
    const rows = Array.from({ length: pixels.height }, (_, y) => pixels.at(x, y));
    return rows.filter((colour, y) => colour !== rows[y - 1]);
  }

  describe('of an element', () => {
    it('shows exactly the element, to the pixel', async () => {
      const body = `${box(red, 800, 2_000)}<div id="it" style="margin-left:33px;width:200px">${box(green, 200, 50)}${box(blue, 200, 50)}</div>${box(red, 800, 900)}`;
      for (const [scale, width, height] of [
        [1, 200, 100],
        [2, 400, 200],
      ] as const) {
        const pixels = await capture(body, { selector: '#it', device_scale_factor: scale });
        expect(size(pixels)).toEqual([width, height]);
        expect([column(pixels, 0), column(pixels, width - 1)]).toEqual([
          [green, blue],
          [green, blue],
        ]);
      }
    });

    it('is complete when the element is larger than the viewport', async () => {
      const rows = `${box(green, 2_000, 2_000)}${box(blue, 2_000, 2_000)}`;
      const pixels = await capture(
        `${box(red, 10, 500)}<div id="it" style="width:2000px">${rows}</div>${box(red, 10, 9)}`,
        {
          selector: '#it',
        },
      );
      expect(size(pixels)).toEqual([2_000, 4_000]);
      expect([column(pixels, 5), column(pixels, 1_999)]).toEqual([
        [green, blue],
        [green, blue],
      ]);
    });

    it('scrolls the element into view and shows no fixed element over it', async () => {
      const body = `<div style="position:fixed;top:0;left:0;right:0;height:80px;background:${red}"></div>${box(blue, 10, 3_000)}
        <div id="it" style="height:2000px"><p></p></div><script>
          document.querySelector('#it p').style = 'height:2000px;margin:0';
          new IntersectionObserver(([entry]) => {
            if (entry.isIntersecting) setTimeout(() => fetch('/data').then(() => { it.style.background = '${green}' }));
          }).observe(it);
        </script>`;
      server.serve({ '/data': { delayMs: 200 } });
      expect(column(await capture(body, { selector: '#it' }), 600)).toEqual([green]);
    });

    it('is complete when the element is in a scroll container', async () => {
      const inner = `<div id="it" style="width:300px">${box(green, 300, 700)}${box(blue, 300, 700)}</div>`;
      const body = `<div style="height:400px;overflow:auto">${box(red, 300, 900)}${inner}</div>`;
      const pixels = await capture(body, { selector: '#it' });
      expect([pixels.height, column(pixels, 100)]).toEqual([1_400, [green, blue]]);
    });

    it('waits for an element that appears late', async () => {
      const body = `<div id="it" hidden>${box(green, 50, 50)}</div><script>setTimeout(() => { it.hidden = false }, 800)</script>`;
      expect(column(await capture(body, { selector: '#it div' }), 9)).toEqual([green]);
    });

    it('is PAGE_TOO_LARGE when the element exceeds the limits', async () => {
      server.serve({ '/tall': `<div id="it" style="width:100px;height:100001px">` });
      const options = { url: server.url('/tall'), selector: '#it' };
      expect(await worker.failRender('screenshot', options)).toMatchObject({ code: 'PAGE_TOO_LARGE' });
    });
  });

  describe('of a clip', () => {
    const body = `${box(red, 1_280, 1_000)}${box(green, 1_280, 1_000)}${box(blue, 1_280, 1_000)}`;

    it('shows that part of the page, also beyond the viewport', async () => {
      const pixels = await capture(body, { clip: { x: 10, y: 900, width: 50, height: 1_200 } });
      expect(size(pixels)).toEqual([50, 1_200]);
      expect(Array.from({ length: 3 }, (_, index) => pixels.at(25, [99, 100, 1_100][index] ?? 0))).toEqual([
        red,
        green,
        blue,
      ]);
    });

    it('is measured from the top of the page at any scroll position', async () => {
      const pixels = await capture(body, { clip: { x: 0, y: 0, width: 50, height: 50 }, js: 'scrollTo(0, 1500)' });
      expect(column(pixels, 9)).toEqual([red]);
    });

    it('shows the end of an animation that no wait has finished', async () => {
      const fading = `<style>@keyframes appear{from{opacity:0}}div{animation:appear 5s both}</style>${body}`;
      const pixels = await capture(fading, { clip: { x: 0, y: 0, width: 50, height: 50 }, wait_until: 'load' });
      expect(column(pixels, 9)).toEqual([red]);
    });

    it('shows the end of one that fades in beside one of a width', async () => {
      const animated = `<style>@keyframes appear{from{opacity:0;transform:translateY(40px)}}@keyframes grow{from{width:0}to{width:80%}}
        .card{animation:appear 1.2s ease both;width:300px;background:${green}}.bar{animation:grow 1.5s ease both;height:50px}</style>
        <div class="card"><div class="bar"></div></div><div class="card"><div class="bar"></div></div>`;
      // The defect showed in most captures, but not in all, so the test repeats.
      for (let round = 0; round < 4; round += 1) {
        const pixels = await capture(animated, { clip: { x: 0, y: 0, width: 300, height: 100 } });
        expect([pixels.at(200, 20), pixels.at(200, 90)]).toEqual([green, green]);
      }
    });

    it('is rounded to integer pixels', async () => {
      const clip = { x: 0.4, y: 999.6, width: 99.9, height: 10 };
      const pixels = await capture(body, { clip, device_scale_factor: 2 });
      expect(size(pixels)).toEqual([200, 20]);
      expect(column(pixels, 9)).toEqual([green]);
    });
  });

  describe('with omit_background', () => {
    it.each(['png', 'webp'] as const)('is transparent where the page has no background (%s)', async (format) => {
      const body = box(green, 100, 100);
      for (const more of [{}, { full_page: true }, { resize_width: 640 }]) {
        const { bytes } = await takeScreenshot(body, { format, omit_background: true, ...more });
        const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
        const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
        expect(at(10, 10)[3]).toBe(255);
        expect(at(info.width - 10, info.height - 10)[3]).toBe(0);
      }
    });

    it('keeps the page’s own background', async () => {
      const body = `<body style="background:${blue}">`;
      expect((await capture(body, { omit_background: true })).at(600, 600)).toBe(blue);
    });
  });

  describe('resized', () => {
    const quarters = `<div style="display:grid;grid-template:1fr 1fr/1fr 1fr;height:720px">${[
      red,
      green,
      blue,
      '#ffff00',
    ]
      .map((colour) => `<div style="background:${colour}"></div>`)
      .join('')}</div>`;

    it.each([
      [{ resize_width: 640, format: 'png' }, [640, 360]],
      [{ resize_height: 72, format: 'jpeg' }, [128, 72]],
      [{ resize_width: 2_560, format: 'webp' }, [2_560, 1_440]],
      [{ resize_width: 320, device_scale_factor: 2, format: 'jpeg' }, [320, 180]],
      [{ resize_width: 100, resize_height: 100, format: 'webp' }, [100, 100]],
      [{ resize_width: 1, resize_height: 1, format: 'png' }, [1, 1]],
    ])('%j gives a size of %j', async (options, expected) => {
      const file = await takeScreenshot(quarters, options);
      expect([file.width, file.height]).toEqual(expected);
      expect(size(await readPixels(file))).toEqual(expected);
      expect((await sharp(file.bytes).metadata()).format).toBe(options.format);
    });

    it('to both sides is cropped and keeps the top of the page', async () => {
      const wide = await capture(quarters, { resize_width: 100, resize_height: 100 });
      expect([wide.at(10, 10), wide.at(90, 10), wide.at(10, 90), wide.at(90, 90)]).toEqual([
        red,
        green,
        blue,
        '#ffff00',
      ]);
      const tall = `${box(red, 1_280, 1_280)}${box(blue, 1_280, 8_000)}`;
      const top = await capture(tall, { full_page: true, resize_width: 200, resize_height: 200 });
      expect([top.at(100, 10), top.at(100, 190)]).toEqual([red, red]);
    });

    it('may come from a screenshot over the format’s own limit', async () => {
      const tall = `${box(red, 100, 10_000)}${box(blue, 100, 10_000)}`;
      const options = { full_page: true, width: 100, format: 'webp', resize_height: 2_000 };
      const file = await takeScreenshot(tall, options);
      expect([file.width, file.height]).toEqual([10, 2_000]);
    });

    it('applies the quality', async () => {
      const body = '<div style="height:720px;background:linear-gradient(45deg,#123,#fed,#987,#0ff)">';
      const bytes = async (quality: number) =>
        (await takeScreenshot(body, { format: 'jpeg', resize_width: 600, quality })).bytes.length;
      expect(await bytes(10)).toBeLessThan(await bytes(90));
    });
  });
});
