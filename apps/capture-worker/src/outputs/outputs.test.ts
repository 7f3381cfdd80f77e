import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { readPdf } from '../render/pdf.test-support.ts';
import type { RenderedFile } from '../render/renderer.ts';
import { openForTests, readPixels } from '../worker.test-support.ts';

/** A clock whose count is in the text, and in the colour of the page. */
const clock = `<!doctype html><title>A clock</title><style>
    html { height: 100% } body { margin: 0; height: 3000px; print-color-adjust: exact }
    h1 { background: white; margin: 0; font: 20px sans-serif } @keyframes turn { to { width: 500px } }
    div { height: 20px; width: 10px; background: #000; animation: turn 3s infinite linear }
  </style><main><h1>tick 0</h1><p>An article about clocks, whose text is long enough to be the content of the page.</p></main>
  <div></div>
  <script>
    let ticks = 0;
    const tick = () => {
      ticks += 1;
      document.querySelector('h1').textContent = 'tick ' + ticks;
      document.documentElement.style.background = 'rgb(' + [ticks >> 8 & 255, ticks & 255, 128] + ')';
    };
    setInterval(tick, 20);
    (function draw() { tick(); requestAnimationFrame(draw); })();
    (function later() { tick(); setTimeout(later, 15); })();
  </script>`;

const phone = `<!doctype html><meta name="viewport" content="width=device-width"><style>body { margin: 0; background: #0000ff }
  @media (max-width: 500px) { body { background: #00ff00 } } @media (prefers-color-scheme: dark) { body { background: #111111 } }
  </style><p>text`;

const article = `<!doctype html><title>Pens</title><nav><a href="/">Home</a></nav><main><h1>Pens</h1>
  <p class="intro">A pen writes, as <a href="/ink">ink</a> does, and this is what the article says about it.</p>
  <pre class="language-js"><code>write(pen);</code></pre><math><mi>x</mi><mo>+</mo><mn>1</mn></math></main><footer>Imprint</footer>`;

describe('the outputs of a capture', () => {
  const { server, worker } = openForTests(
    { '/clock': clock, '/phone': phone, '/article': article },
    { account: 'account', viewport: { width: 640, height: 450 } },
  );

  const draw = async (
    path: string | { html: string },
    outputs: object[],
    options: object = {},
    type: 'screenshot' | 'pdf' = 'screenshot',
  ) => {
    const page = typeof path === 'string' ? { url: server.url(path) } : path;
    const { file, report } = await worker.render(type, { ...page, outputs, ...options });
    const all: Record<string, RenderedFile> = { own: file };
    for (const { name, file: each } of file.outputs ?? []) all[name] = each;
    return { all, report };
  };
  const textOf = (file: RenderedFile | undefined) => file?.bytes.toString() ?? '';

  const written = `<script>const text = ${JSON.stringify(clock).replaceAll('</', '<\\/')};
    addEventListener('load', () => setTimeout(() => { document.open(); document.write(text); document.close(); }, 50));</script>`;
  it.each([
    ['a page', '/clock'],
    ['a document of the client', { html: clock }],
    ['a page that its script writes again', { html: written }],
  ])('show the same moment of %s that changes with every frame', async (_, path) => {
    const kinds = ['markdown', 'text', 'html', 'mhtml', 'accessibility', 'pdf'].map((kind) => ({ kind }));
    const { all, report } = await draw(path, [
      ...kinds,
      { kind: 'screenshot', name: 'full', full_page: true },
      { kind: 'screenshot', name: 'narrow', width: 400 },
    ]);
    // MHTML may break lines anywhere.
    const ticksIn = (text: string) => Number(/tick\s*(\d+)/.exec(text.replaceAll(/=\r?\n/g, ''))?.[1]);
    const ticksOf = async (file: RenderedFile | undefined) => {
      const color = (await readPixels(file!)).at(300, 400);
      return Number.parseInt(color.slice(1, 3), 16) * 256 + Number.parseInt(color.slice(3, 5), 16);
    };
    const ticks = {
      own: await ticksOf(all.own),
      full: await ticksOf(all.full),
      narrow: await ticksOf(all.narrow),
      pdf: ticksIn((await readPdf(all.pdf!.bytes)).pages[0]?.text ?? ''),
      ...Object.fromEntries(kinds.slice(0, -1).map(({ kind }) => [kind, ticksIn(textOf(all[kind]))])),
    };
    expect(new Set(Object.values(ticks)).size === 1 ? 'equal' : ticks).toBe('equal');
    expect(ticks.own).toBeGreaterThan(0);
    expect(report.navigations ?? 1).toBe(1);
    if (path === '/clock') expect(server.hits('/clock')).toBe(1);
  });

  it('have their own viewport and colour scheme in one visit, and a visit for a device', async () => {
    const { all, report } = await draw('/phone', [
      { kind: 'screenshot', name: 'narrow', width: 400, height: 300, device_scale_factor: 2 },
      { kind: 'screenshot', name: 'dark', dark_mode: true },
      { kind: 'screenshot', name: 'phone', device: 'iPhone 15 Pro', format: 'webp' },
      { kind: 'og_image', name: 'card', template: 'card' },
    ]);
    const colors = await Promise.all(
      ['own', 'narrow', 'dark', 'phone'].map(async (name) => (await readPixels(all[name]!)).at(50, 200)),
    );
    expect(colors).toEqual(['#0000ff', '#00ff00', '#111111', expect.stringMatching(/^#0[0-3]f[c-f]0[0-3]$/)]);
    expect([all.narrow?.width, all.narrow?.height]).toEqual([800, 600]);
    expect([all.card?.width, all.card?.height]).toEqual([1_200, 630]);
    expect([report.navigations, report.tries]).toEqual([2, 1]);
    expect(server.hits('/phone')).toBe(2);
  });

  it('have their own colour scheme in frames of other sites too', async () => {
    // The browser treats 127.0.0.1 and localhost as two sites.
    const inner = `<!doctype html><style>body { background: #0000ff } @media (prefers-color-scheme: dark) { body { background: #111111 } }</style>`;
    const frame = `<iframe src="${server.url('/inner', 'localhost')}" style="border: 0; width: 300px; height: 300px"></iframe>`;
    // With the header the frame has its own process.
    const headers = { 'content-type': 'text/html', 'origin-agent-cluster': '?1' };
    const body = `<!doctype html><body style="margin: 0">${frame}`;
    server.serve({ '/inner': inner, '/outer': { headers, body } });
    const outputs = [
      { kind: 'screenshot', name: 'dark', dark_mode: true },
      { kind: 'screenshot', name: 'light', dark_mode: false },
    ];
    const colorsOf = async (options: object) => {
      const { all } = await draw('/outer', outputs, options);
      return Promise.all(['own', 'dark', 'light'].map(async (name) => (await readPixels(all[name]!)).at(100, 100)));
    };
    expect(await colorsOf({})).toEqual(['#0000ff', '#111111', '#0000ff']);
    expect(await colorsOf({ dark_mode: true })).toEqual(['#111111', '#111111', '#0000ff']);
  });

  it('have the content that captures of it alone have, whatever their order and selection', async () => {
    const parts = { exclude_selectors: ['.intro'] };
    const { all } = await draw('/article', [
      { kind: 'html', only_main_content: true },
      { kind: 'markdown' },
      { kind: 'text' },
      { kind: 'links' },
      { kind: 'markdown', name: 'rest', ...parts },
      { kind: 'markdown', name: 'page', only_main_content: false },
      { kind: 'text', name: 'page-text', only_main_content: false },
    ]);
    const alone = async (format: string, options: object = {}) => {
      const { file } = await worker.render('content', { url: server.url('/article'), format, ...options });
      return textOf(file);
    };
    const expected = {
      html: await alone('html'),
      markdown: await alone('markdown'),
      text: await alone('text'),
      links: await alone('links'),
      rest: await alone('markdown', parts),
      page: await alone('markdown', { only_main_content: false }),
      'page-text': await alone('text', { only_main_content: false }),
    };
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, textOf(all[name])]))).toEqual(expected);
    expect(expected.markdown).toMatch(/```js\nwrite\(pen\);\n```\n\n\$x \+ 1\$/);
    expect(expected.rest).not.toContain('ink');
    expect(expected.page).toContain('Imprint');
  });

  it('have the document type of the page, which decides how it is laid out', async () => {
    const type = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/x.dtd">';
    server.serve({ '/old': `${type}<p>Old` });
    const { all } = await draw('/old', [{ kind: 'html' }]);
    expect(textOf(all.html).split('\n')[0]).toBe(type);
  });

  it('keep the secrets of the client out of the network log', async () => {
    server.serve({
      '/secret': { headers: { 'set-cookie': 'session=opensesame' }, body: '<script>fetch("/data?q=1")</script>' },
    });
    const options = {
      headers: { 'X-Preview': 'opensesame' },
      cookies: [{ name: 'own', value: 'opensesame' }],
      basic_auth: { username: 'ada', password: 'opensesame' },
    };
    const { all } = await draw('/secret', [{ kind: 'har' }], options);
    const { log } = JSON.parse(textOf(all.har));
    expect(log.version).toBe('1.2');
    const urls = log.entries.map(({ request }: { request: { url: string } }) => request.url);
    expect(urls).toEqual([server.url('/secret'), server.url('/data?q=1')]);
    expect(log.entries[0].response).toMatchObject({ status: 200, content: { mimeType: expect.any(String) } });
    expect(textOf(all.har)).not.toContain('opensesame');
    expect(textOf(all.har)).toContain('***');
  });

  it('fail the capture with PAGE_TOO_LARGE if the page with its images is larger than a file may be', async () => {
    const side = 3_500;
    const noise = randomBytes(side * side * 3);
    const body = await sharp(noise, { raw: { width: side, height: side, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const image = { headers: { 'content-type': 'image/png' }, body };
    const tags = (count: number) => `<img width="50" src="/1.png">${count > 1 ? '<img width="50" src="/2.png">' : ''}`;
    server.serve({ '/1.png': image, '/2.png': image, '/one': tags(1), '/two': tags(2) });
    const { all } = await draw('/one', [{ kind: 'mhtml' }], { timeout_ms: 60_000 });
    expect(all.mhtml?.bytes.length).toBeGreaterThan(body.length);
    // Two of the images have 103 MB in base64.
    const options = { url: server.url('/two'), outputs: [{ kind: 'mhtml' }], timeout_ms: 120_000 };
    const failure = await worker.failRender('screenshot', options);
    expect(failure).toMatchObject({ code: 'PAGE_TOO_LARGE', message: expect.stringContaining('The output mhtml') });
  });

  it('have what is within many plain elements in the accessibility tree, and fail if it has too many nodes', async () => {
    const within = (count: number) => `${'<div>'.repeat(200)}${'<p>a</p>'.repeat(count)}${'</div>'.repeat(200)}`;
    server.serve({ '/texts': within(1_000), '/too-many': within(60_000) });
    const { all } = await draw('/texts', [{ kind: 'accessibility' }]);
    expect(JSON.parse(textOf(all.accessibility)).tree.children).toHaveLength(1_000);
    const options = { url: server.url('/too-many'), outputs: [{ kind: 'accessibility' }], timeout_ms: 60_000 };
    const failure = await worker.failRender('screenshot', options);
    expect(failure).toMatchObject({ code: 'PAGE_TOO_LARGE', message: expect.stringContaining('120,000') });
  });

  it('fail the capture if one of them fails, and name it', async () => {
    const outputs = [{ kind: 'pdf' }, { kind: 'screenshot', name: 'chart', selector: '#chart' }];
    const failure = await worker.failRender('screenshot', { url: server.url('/phone'), outputs, timeout_ms: 3_000 });
    expect(failure).toMatchObject({ code: 'SELECTOR_NOT_FOUND', message: expect.stringContaining('The output chart') });
  });
});
