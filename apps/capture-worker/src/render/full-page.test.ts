import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { openForTests, type Pixels, readPixels, type TestWorker } from '../worker.test-support.ts';

/** With this many images, the page is taller than eight viewports. */
const images = 12;
/** With this many images, the page has over 16,384 pixels, the maximum that a GPU draws. */
const manyImages = 40;
const heroHeight = 720;

/** Most of these pages are so tall that drawing and reading them takes longest, so they are narrow unless the width matters. */
const width = 400;
const landscape = { width: 1_280 };

describe('a full-page screenshot', () => {
  const { server, worker } = openForTests(
    async () => {
      const image = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#ff0000' } })
        .jpeg()
        .toBuffer();
      const response = { delayMs: 30, headers: { 'content-type': 'image/jpeg' }, body: image };
      const paths = Array.from({ length: manyImages }, (_, index) => `/image-${index}`);
      return Object.fromEntries(paths.map((path) => [path, response]));
    },
    { account: 'account' },
  );

  async function capture(body: string, options: Parameters<TestWorker['capture']>[1] = {}): Promise<Pixels> {
    server.serve({ '/page': `<!doctype html><style>body { margin: 0 }</style>${body}` });
    const { image } = await worker.capture(server.url('/page'), { full_page: true, width, ...options });
    return readPixels(image);
  }

  const rows = (row: (index: number) => string, count = images) =>
    Array.from({ length: count }, (_, index) => `<div style="height:500px">${row(index)}</div>`).join('');
  const lazyImage = (index: number) => `<img loading="lazy" width="300" height="400" src="/image-${index}">`;
  const lazyImages = rows(lazyImage);
  const painted = (pixels: Pixels, { top = 0, count = images } = {}) =>
    Array.from({ length: count }, (_, index) => pixels.at(150, top + index * 500 + 200)).filter((colour) =>
      /^#f[a-f]0[0-5]0[0-5]$/.test(colour),
    ).length;

  it('shows lazy images, also beyond 16,384 pixels', async () => {
    const pixels = await capture(rows(lazyImage, manyImages));
    expect([pixels.width, pixels.height]).toEqual([width, manyImages * 500]);
    expect(painted(pixels, { count: manyImages })).toBe(manyImages);
  });

  it('shows images that a script loads when they come into view', async () => {
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

  it('keeps lengths in viewport units, the width and the results of media queries', async () => {
    const pixels = await capture(
      `
      <div style="height:100vh;background:#00ff00"></div>
      <div id="below" style="height:3000px;background:#0000ff"></div>
      <script>
        addEventListener('orientationchange', () => { below.style.background = '#ff0000' });
        new ResizeObserver(([entry]) => { if (entry.contentRect.width !== 1280) below.style.background = '#ff0000' }).observe(below);
        matchMedia('(orientation: portrait)').onchange = () => { below.style.background = '#ff0000' };
      </script>`,
      landscape,
    );
    expect(pixels.height).toBe(heroHeight + 3_000);
    expect(pixels.at(200, heroHeight - 1)).toBe('#00ff00');
    expect(pixels.at(200, heroHeight)).toBe('#0000ff');
    expect(pixels.at(200, heroHeight + 2_999)).toBe('#0000ff');
  });

  it('shows fixed and sticky elements once, at their position at the top of the page', async () => {
    const pixels = await capture(`
      <div style="position:fixed;top:0;width:100%;height:50px;background:#ff0000"></div>
      <div style="height:200px"></div>
      <div style="position:sticky;top:60px;height:50px;background:#00ff00"></div>
      <div style="height:5000px;background:#0000ff"></div>`);
    const column = Array.from({ length: pixels.height }, (_, y) => pixels.at(200, y));
    const where = (colour: string) => [column.indexOf(colour), column.lastIndexOf(colour)];
    expect(where('#ff0000')).toEqual([0, 49]);
    expect(where('#00ff00')).toEqual([200, 249]);
    expect(where('#0000ff')).toEqual([250, 5_249]);
  });

  describe('with an image that stays while the page scrolls', () => {
    /** An image as large as the window: red above, blue below. */
    const image = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="720">
      <rect width="400" height="720" fill="#ff0000"/><rect y="360" width="400" height="360" fill="#0000ff"/></svg>`)}`;
    const cover = `url("${image}") center/cover`;
    const text = '<main style="position:relative;height:2000px"></main>';
    const screens = [100, 600, 820, 1_320, 1_540, 1_990];
    const repeated = ['#ff0000', '#0000ff', '#ff0000', '#0000ff', '#ff0000', '#0000ff'];
    const pseudo = (style: string, name = 'body::before') =>
      `<style>${name} { content: ''; position: fixed; z-index: -1; ${style} }</style>`;

    it.each([
      ['a pseudo-element', pseudo(`inset: 0; background: ${cover}`)],
      ['a pseudo-element of 100vh', pseudo(`top: 0; left: 0; width: 100vw; height: 100vh; background: ${cover}`)],
      ['::after, of 100vh', pseudo(`inset: 0; height: 100vh; background: ${cover}`, 'main::after')],
      ['a tint over the image', pseudo(`inset: 0; background: linear-gradient(#00ff0000, #00ff0000), ${cover}`)],
      [
        'a tint over the image of an element',
        `<div style="position:fixed;inset:0;z-index:-1;background:linear-gradient(#0000, #0000), ${cover.replaceAll('"', "'")}"></div>`,
      ],
      [
        'an image',
        `<img src='${image}' style="position:fixed;top:0;left:0;width:100%;height:100%;object-fit:cover;z-index:-1">`,
      ],
      [
        'an image in a box',
        `<div style="position:fixed;inset:0;z-index:-1"><img src='${image}' style="width:100%;height:100%;object-fit:cover"></div>`,
      ],
    ])('repeats it as large as in the window: %s', async (_, background) => {
      const pixels = await capture(background + text);
      expect(pixels.height).toBe(2_000);
      expect(screens.map((y) => pixels.at(200, y))).toEqual(repeated);
    });

    it('stretches a gradient alone, which would show its joints', async () => {
      const gradient =
        'top: 0; left: 0; width: 100vw; height: 100vh; background: linear-gradient(#ff0000 50%, #0000ff 0)';
      const pixels = await capture(pseudo(gradient) + text);
      expect([10, 990, 1_010, 1_990].map((y) => pixels.at(200, y))).toEqual([
        '#ff0000',
        '#ff0000',
        '#0000ff',
        '#0000ff',
      ]);
    });

    it('requests an image that it repeats once', async () => {
      let requests = 0;
      const svg = decodeURIComponent(image.slice(image.indexOf(',') + 1));
      server.serve({
        '/cover': (_, response) => {
          requests += 1;
          response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'no-store' }).end(svg);
        },
      });
      const style = 'position:fixed;inset:0;width:100%;height:100%;object-fit:cover;z-index:-1';
      const pixels = await capture(`<img src="/cover" style="${style}">${text}`);
      expect(screens.map((y) => pixels.at(200, y))).toEqual(repeated);
      expect(requests).toBe(1);
    });

    it('leaves it on the first screen if later sections cover it', async () => {
      const sections = '<main style="margin-top:100vh;height:2000px;background:#00ff00"></main>';
      const pixels = await capture(pseudo(`inset: 0; background: ${cover}`) + sections);
      expect([100, 600, 820, 2_700].map((y) => pixels.at(200, y))).toEqual([
        '#ff0000',
        '#0000ff',
        '#00ff00',
        '#00ff00',
      ]);
    });

    it('shows it in the middle of a section that cuts it', async () => {
      const style = pseudo(`inset: 0; height: 100vh; background: ${cover}`, '#cut::before');
      const pixels = await capture(
        `${style}<div style="height:1000px"></div><div id="cut" style="height:400px;clip-path:inset(0)"></div>${text}`,
      );
      expect([900, 1_010, 1_190, 1_210, 1_390, 1_500].map((y) => pixels.at(200, y))).toEqual([
        '#ffffff',
        '#ff0000',
        '#ff0000',
        '#0000ff',
        '#0000ff',
        '#ffffff',
      ]);
    });

    it('shows small ones, and what is in front of the page, as before', async () => {
      const badge = pseudo('top: 0; left: 0; width: 50px; height: 50px; background: #ff0000');
      const veil = pseudo('inset: 0; height: 100vh; z-index: 9; background: #00ff00', 'body::after');
      const pixels = await capture(`${badge}${text}`);
      expect([pixels.at(25, 25), pixels.at(25, 60), pixels.at(25, 745)]).toEqual(['#ff0000', '#ffffff', '#ffffff']);
      expect((await capture(veil + text)).at(200, 800)).toBe('#ffffff');
    });

    it('shows all of a page that scripts move within a fixed box, and that starts with an image', async () => {
      const row = '<div style="height:640px;background:#00ff00"></div>';
      const pixels = await capture(`<div style="position:fixed;inset:0;overflow:hidden"><div id="moved">
        <img src='${image}' style="display:block;width:100%;height:100vh">${row}${row}</div></div>
        <div style="height:2000px"></div><script>
          addEventListener('scroll', () => { moved.style.transform = 'translateY(' + -scrollY + 'px)' });
        </script>`);
      expect([100, 600, 820, 1_320, 1_990].map((y) => pixels.at(200, y))).toEqual([
        '#ff0000',
        '#0000ff',
        '#00ff00',
        '#00ff00',
        '#00ff00',
      ]);
    });
  });

  it('draws sections with content-visibility: auto', async () => {
    const section =
      '<section style="content-visibility:auto;contain-intrinsic-size:auto 500px"><div style="height:1000px;background:#ff0000">';
    const pixels = await capture(
      `<div style="height:2000px"></div>${section}</div></section>${section}</div></section>`,
    );
    expect(pixels.height).toBe(4_000);
    expect(pixels.at(200, 2_500)).toBe('#ff0000');
    expect(pixels.at(200, 3_500)).toBe('#ff0000');
  });

  it('scrolls through a page with smooth scrolling', async () => {
    const style = '<style>html { scroll-behavior: smooth }</style>';
    expect(painted(await capture(style + lazyImages))).toBe(images);
  });

  it('is at least as large as the viewport', async () => {
    const short = await capture('<div style="height:10px;background:#ff0000">', { device_scale_factor: 2 });
    expect([short.width, short.height]).toEqual([2 * width, 1440]);
  });

  it('is as wide as the page, unless that is wide by mistake', async () => {
    const wide = await capture('<div style="height:10px;width:3000px;background:#ff0000">', landscape);
    expect([wide.width, wide.height, wide.at(2_999, 5)]).toEqual([3_000, 720, '#ff0000']);
    for (const dir of ['ltr', 'rtl']) {
      const hidden = `<a style="position:absolute;${dir === 'rtl' ? 'left' : 'right'}:-9999px">Skip to content</a>`;
      const page = `<main dir="${dir}" style="height:900px;background:#ff0000">${hidden}</main>`;
      const pixels = await capture(`<script>document.documentElement.dir = '${dir}'</script>${page}`, landscape);
      expect([pixels.width, pixels.at(5, 800), pixels.at(1_275, 800)]).toEqual([1_280, '#ff0000', '#ff0000']);
    }
  });

  it('stops at some point in an endless feed', async () => {
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

  it('is as wide as the phone, also for a page without a mobile layout', async () => {
    const body = `<div style="height:300px;background:linear-gradient(90deg,#ff0000 0 50%,#0000ff 50%)"></div>
      <div style="height:2000px;background:#00ff00"></div>`;
    const viewport = '<meta name="viewport" content="width=device-width">';
    for (const [head, height] of [
      [viewport, 2_300 * 3],
      ['', Math.ceil((2_300 * 393 * 3) / 980)],
    ] as const) {
      server.serve({ '/page': `<!doctype html>${head}<style>body { margin: 0 }</style>${body}` });
      const { file } = await worker.render('screenshot', {
        url: server.url('/page'),
        full_page: true,
        device: 'iPhone 15 Pro',
      });
      expect(file.width).toBe(393 * 3);
      expect(Math.abs(file.height - height)).toBeLessThanOrEqual(3);
      const pixels = await readPixels(file);
      expect([pixels.at(100, 100), pixels.at(1_100, 100)]).toEqual(['#ff0000', '#0000ff']);
      expect(pixels.at(600, file.height - 10)).toBe('#00ff00');
    }
  });

  describe('of an application with its own scroll container', () => {
    /** Makes a page whose window does not scroll: its rows and their lazy images are in a scroll container. */
    const application = (outer: string, scroller: string) => `
      <style>html, body { height: 100%; overflow: hidden } ${outer}</style>
      <div id="app"><header style="height:60px;flex:none;background:#ffff00"></header>
        <main style="${scroller}">${lazyImages}</main></div>`;

    it.each([
      [
        'a flex column',
        '#app { height: 100vh; display: flex; flex-direction: column }',
        'flex:1;min-height:0;overflow-y:auto',
      ],
      ['a fixed box', '#app { position: fixed; inset: 0 }', 'height:calc(100% - 60px);overflow:auto'],
      ['a grid', '#app { height: 100dvh; display: grid; grid-template-rows: auto minmax(0, 1fr) }', 'overflow:scroll'],
      ['the body', 'body { height: 100vh; overflow: auto }', ''],
      ['an absolutely positioned box', '', 'position:absolute;top:60px;bottom:0;left:0;right:0;overflow-y:scroll'],
    ])('shows all of its content: %s', async (_, outer, scroller) => {
      const pixels = await capture(application(outer, scroller));
      expect(pixels.height).toBe(images * 500 + 60);
      expect(pixels.at(200, 30)).toBe('#ffff00');
      expect(painted(pixels, { top: 60 })).toBe(images);
    });

    it('shows all content of a scroll container in a web component', async () => {
      const pixels = await capture(`<style>html, body { height: 100%; overflow: hidden }</style>
        <my-app style="display:block;height:100%">${lazyImages}</my-app><script>
          document.querySelector('my-app').attachShadow({ mode: 'open' }).innerHTML =
            '<div style="height:100%;overflow-y:auto"><slot></slot></div>';
        </script>`);
      expect(painted(pixels)).toBe(images);
    });

    it('stops at some point in an endless feed', async () => {
      const pixels = await capture(`<style>html, body { height: 100%; overflow: hidden }</style>
        <div id="feed" style="height:100%;overflow-y:auto"></div><script>
          const grow = () => {
            if (feed.scrollTop + feed.clientHeight + 2000 < feed.scrollHeight) return;
            for (let more = 0; more < 5; more += 1) feed.append(Object.assign(document.createElement('p'), { style: 'height:500px' }));
          };
          feed.addEventListener('scroll', grow);
          grow();
        </script>`);
      expect(pixels.height).toBeGreaterThan(10_000);
      expect(pixels.height).toBeLessThan(30_000);
    });

    it('shows all of a feed that loads a moment after its end came into view', async () => {
      const pixels = await capture(`<style>html, body { height: 100%; overflow: hidden }</style>
        <div id="pane" style="height:100%;overflow-y:auto"><div id="feed"></div><div id="end" style="height:10px"></div></div>
        <script>
          const add = (count) => {
            for (let post = 0; post < count; post += 1) {
              feed.append(Object.assign(document.createElement('p'), { style: 'margin:0;height:500px;background:#00f' }));
            }
          };
          let waiting;
          const loadSoon = () => {
            clearTimeout(waiting);
            waiting = setTimeout(async () => {
              const posts = feed.childElementCount;
              if (posts === 14) return;
              await fetch('/image-0?' + posts);
              add(4);
            }, 120);
          };
          new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && loadSoon(), { root: pane }).observe(end);
          add(2);
        </script>`);
      expect(pixels.height).toBe(14 * 500 + 10);
      expect(pixels.at(150, 13.5 * 500)).toBe('#0000ff');
    });

    it('leaves smaller scroll containers as they are, with their visible images loaded', async () => {
      const list = `<div style="width:350px;height:400px;overflow:auto">${lazyImages}</div>`;
      const pixels = await capture(`${list}<div style="height:2000px"></div>`);
      expect(pixels.height).toBe(2_400);
      expect(pixels.at(150, 200)).toMatch(/^#f[a-f]/);
    });
  });

  it('shows finite animations at their end and does not wait for infinite ones', async () => {
    const pixels = await capture(`<style>
        @keyframes in { from { opacity: 0; transform: translateX(-2000px) } }
        @keyframes turn { to { rotate: 360deg } }
        .row { height: 500px; background: #0000ff; opacity: 0; transition: opacity 5s }
        .row.seen { opacity: 1 }
      </style>
      <div style="height:500px;background:#00ff00;animation:in 8s"></div>
      <div style="height:2000px"><b style="animation:turn 1s infinite">*</b></div><div class="row"></div><script>
        new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => {
          if (isIntersecting) target.classList.add('seen');
        })).observe(document.querySelector('.row'));
      </script>`);
    expect(pixels.at(200, 250)).toBe('#00ff00');
    expect(pixels.at(200, 2_750)).toBe('#0000ff');
  });

  it('requests the fonts of the page once', async () => {
    let requests = 0;
    server.serve({
      '/font.woff2': async (_, response) => {
        requests += 1;
        await new Promise((resolve) => setTimeout(resolve, 300));
        response.writeHead(404).end();
      },
    });
    // The response is 404, so there is no font to wait for.
    await capture(
      '<style>@font-face { font-family: late; src: url(/font.woff2) } p { font-family: late }</style><p>text',
    );
    expect(requests).toBe(1);
  });

  // The images are narrow, and as tall as the format allows or twice as tall as a GPU draws.
  it.each([
    ['png', 2, 100, 20_000],
    ['png', 1, 100, 40_000],
    ['jpeg', 2, 100, 30_000],
    ['webp', 2, 100, 8_191],
  ] as const)('shows every band once, in its place: %s at scale %i', async (format, scale, width, height) => {
    // The grey of each 100-pixel band depends on its position, so that the test finds missing, white and repeated bands.
    const band = (index: number) => 10 + ((index * 37) % 220);
    const bands = Array.from({ length: Math.ceil(height / 100) }, (_, index) => {
      const grey = band(index);
      const rest = Math.min(100, height - index * 100);
      return `<div style="height:${rest}px;background:rgb(${grey},${grey},${grey})"></div>`;
    });
    const pixels = await capture(bands.join(''), { width, device_scale_factor: scale, format });
    expect([pixels.width, pixels.height]).toEqual([width * scale, height * scale]);
    const wrong = bands.flatMap((_, index) => {
      const top = index * 100 * scale;
      const bottom = Math.min(top + 100 * scale, height * scale) - 1;
      const actual = [top + 8, bottom - 8].map((y) =>
        Number.parseInt(pixels.at(width, Math.min(y, bottom)).slice(1, 3), 16),
      );
      return actual.every((grey) => Math.abs(grey - band(index)) <= 6)
        ? []
        : [{ index, actual, expected: band(index) }];
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    [
      'over 100 million pixels',
      40_000,
      { width: 2_000, device_scale_factor: 1.5 },
      /3000 × 60000 pixels: the limit is 100 million/,
    ],
    ['over 100,000 pixels high', 100_001, { width: 100 }, /100 × 100001 pixels: the limit is .* a height of 100,000/],
    ['over the limit of JPEG', 65_536, { width: 100, format: 'jpeg' }, /jpeg is 65,535 pixels a side; use png/],
    ['over the limit of WebP', 16_384, { width: 100, format: 'webp' }, /webp is 16,383 pixels a side; use png/],
  ] as const)('%s is PAGE_TOO_LARGE', async (_, height, options, message) => {
    server.serve({ '/tall': `<!doctype html><style>body { margin: 0 }</style><div style="height:${height}px">` });
    expect(await worker.fail(server.url('/tall'), { full_page: true, ...options })).toEqual({
      code: 'PAGE_TOO_LARGE',
      message: expect.stringMatching(message),
    });
  });

  it('is drawn to the last of 100,000 rows', async () => {
    const pixels = await capture(
      '<div style="height:99999px;background:#0000ff"></div><div style="height:1px;background:#ff0000">',
      {
        width: 100,
      },
    );
    expect([pixels.width, pixels.height]).toEqual([100, 100_000]);
    expect([pixels.at(50, 99_998), pixels.at(50, 99_999)]).toEqual(['#0000ff', '#ff0000']);
  });

  it('rejects a viewport over the limits before loading the page', async () => {
    const before = server.hits();
    const options = { width: 7_680, height: 4_320, device_scale_factor: 4 };
    expect(await worker.fail(server.url('/page'), options)).toMatchObject({ code: 'PAGE_TOO_LARGE' });
    expect(server.hits()).toBe(before);
  });
});
