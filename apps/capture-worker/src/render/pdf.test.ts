import { openPageServer } from '@capture/testing/network/page-server';
import { describe, expect, it } from '@jest/globals';
import { openForTests } from '../worker.test-support.ts';
import { readPdf } from './pdf.test-support.ts';

describe('a PDF', () => {
  const { server, worker } = openForTests({}, { account: 'account' });

  async function render(body: string, options: Record<string, unknown> = {}, pagesAtMost?: number) {
    const html = `<!doctype html><title>A title</title><style>body { margin: 0 } p { margin: 0 }</style>${body}`;
    const { file } = await worker.render('pdf', { html, ...options });
    const pdf = await readPdf(file.bytes, pagesAtMost);
    expect({ width: file.width, height: file.height }).toEqual(size(pdf.pages[0]));
    expect(file.format).toBe('pdf');
    return pdf;
  }
  const size = (page?: { width: number; height: number }) => ({ width: page?.width, height: page?.height });
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => `<p style="break-after:page">page ${index + 1}</p>`).join('');

  describe('paper size', () => {
    it('takes names, lengths and landscape', async () => {
      // Chromium counts in points, so sizes differ by up to half a pixel.
      for (const [options, width, height] of [
        [{}, 794, 1_123],
        [{ paper: 'A3' }, 1_123, 1_587],
        [{ paper: 'A5' }, 559, 794],
        [{ paper: 'Letter' }, 816, 1_056],
        [{ paper: 'Legal' }, 816, 1_344],
        [{ paper: 'Tabloid' }, 1_056, 1_632],
        [{ paper: 'Letter', landscape: true }, 1_056, 816],
        [{ paper_width: '300px', paper_height: '10cm' }, 300, 378],
        [{ paper_width: '200in', paper_height: '1in' }, 19_200, 96],
      ] as const) {
        const [page] = (await render('<p>text', options)).pages;
        expect(Math.abs((page?.width ?? 0) - width)).toBeLessThanOrEqual(1);
        expect(Math.abs((page?.height ?? 0) - height)).toBeLessThanOrEqual(1);
      }
    });

    it('follows @page rules with prefer_css_page_size', async () => {
      const body = '<style>@page { size: 300px 400px }</style><p>text';
      expect(size((await render(body)).pages[0])).not.toEqual({ width: 300, height: 400 });
      expect(size((await render(body, { prefer_css_page_size: true })).pages[0])).toEqual({ width: 300, height: 400 });
    });

    it('is PAGE_TOO_LARGE over the limits', async () => {
      const huge = { html: '<p>', paper_width: '200in', paper_height: '200in' };
      expect((await worker.failRender('pdf', huge)).code).toBe('PAGE_TOO_LARGE');
      const own = { html: '<style>@page { size: 20000px 20000px }</style>', prefer_css_page_size: true };
      expect((await worker.failRender('pdf', own)).code).toBe('PAGE_TOO_LARGE');
    });
  });

  it('applies margins and scale', async () => {
    const lines = '<p style="height:100px">line</p>'.repeat(10);
    const paper = { paper_width: '500px', paper_height: '1000px' };
    const count = async (options: Record<string, unknown>) => (await render(lines, { ...paper, ...options })).count;
    expect(await count({})).toBe(1);
    expect(await count({ margin: '60px' })).toBe(2);
    expect(await count({ margin: { left: '60px', right: '60px' } })).toBe(1);
    expect(await count({ margin: { top: '250px', bottom: '250px' } })).toBe(2);
    expect(await count({ scale: 2 })).toBe(2);
    expect(await count({ margin: '60px', scale: 0.5 })).toBe(1);
  });

  describe('page_ranges', () => {
    it('prints the pages that exist', async () => {
      const texts = async (page_ranges: string) =>
        (await render(numbered(5), { page_ranges })).pages.map(({ text }) => text).filter((text) => text !== '');
      expect(await texts('2-3')).toEqual(['page 2', 'page 3']);
      expect(await texts('1,4')).toEqual(['page 1', 'page 4']);
      expect(await texts('5-900')).toEqual(['page 5']);
    });

    it('is SELECTOR_NOT_FOUND without a retry when no page exists', async () => {
      const failure = await worker.failRender('pdf', { html: numbered(2), page_ranges: '7-9' });
      expect(failure).toMatchObject({ code: 'SELECTOR_NOT_FOUND', report: { tries: 1, problems: [] } });
      expect(failure.message).toContain('page_ranges');
    });
  });

  describe('single_page', () => {
    const single = { single_page: true, paper_width: '600px' };

    it('is as high as the content plus margins', async () => {
      const body = '<p style="height:4000px">top</p><p style="height:30px">end</p>';
      const plain = await render(body, single);
      expect(plain).toMatchObject({ count: 1, pages: [{ width: 600, text: 'top end' }] });
      expect(Math.abs((plain.pages[0]?.height ?? 0) - 4_030)).toBeLessThanOrEqual(1);
      const around = await render(body, { ...single, margin: '50px', scale: 0.5 });
      expect(around.count).toBe(1);
      expect(Math.abs((around.pages[0]?.height ?? 0) - 2_115)).toBeLessThanOrEqual(1);
      const short = await render('<p style="height:90px">short', single);
      expect(Math.abs((short.pages[0]?.height ?? 0) - 90)).toBeLessThanOrEqual(1);
      const { file } = await worker.render('pdf', { html: '<p style="height:90px">quirky', ...single });
      expect(file.height).toBeLessThan(150);
    });

    it('ignores page breaks and keeps lengths in viewport units', async () => {
      const broken = `<style>@page { size: A5; margin: 3cm } @page wide { size: A3 } .wide { page: wide }</style>${numbered(4)}<p class="wide">wide`;
      expect(await render(broken, single)).toMatchObject({ count: 1, pages: [{ width: 600 }] });
      const screens = '<section style="height:100vh">a</section><section style="min-height:50vh">b</section><p>end';
      const { count, pages } = await render(screens, { ...single, height: 800 });
      expect({ count, text: pages[0]?.text }).toEqual({ count: 1, text: 'a b end' });
      expect(pages[0]?.height).toBeGreaterThan(1_200);
      expect(pages[0]?.height).toBeLessThan(1_240);
    });

    it('is laid out for the medium, and shows content that loads on scrolling', async () => {
      const media = '<style>p { height: 100px } @media print { p { height: 700px } }</style><p>text';
      expect((await render(media, single)).pages[0]?.height).toBeGreaterThanOrEqual(700);
      expect((await render(media, { ...single, media: 'screen' })).pages[0]?.height).toBeLessThan(110);
      const lazy = `<div style="height:5000px"></div><p>waiting</p><script>
        new IntersectionObserver(([entry], observer) => {
          if (entry.isIntersecting) { observer.disconnect(); entry.target.textContent = 'came' }
        }).observe(document.querySelector('p'))</script>`;
      expect((await render(lazy, single)).pages[0]?.text).toBe('came');
    });

    it('may exceed Chromium’s paper sizes, but not the limits', async () => {
      const tall = await render('<p style="height:60000px">tall</p><p>end', single);
      expect(tall).toMatchObject({ count: 1, pages: [{ text: 'tall end' }] });
      expect(tall.pages[0]?.height).toBeGreaterThan(60_000);
      const failure = await worker.failRender('pdf', { html: '<p style="height:100001px">', ...single });
      expect(failure.code).toBe('PAGE_TOO_LARGE');
      const wide = { html: '<p style="height:60000px">', single_page: true, paper_width: '2000px' };
      expect((await worker.failRender('pdf', wide)).code).toBe('PAGE_TOO_LARGE');
    });
  });

  it('has an outline and tags on request', async () => {
    const body = '<h1>One</h1><h2>One one</h2><p>text</p><h1>Two</h1>';
    const usual = await render(body);
    expect(usual).toMatchObject({ outline: '', title: 'A title' });
    expect(usual.tags).toEqual(expect.arrayContaining(['H1', 'H2', 'P']));
    expect((await render(body, { outline: true })).outline).toBe('One (One one), Two');
    expect((await render(body, { outline: true, tagged: false })).outline).toBe('One (One one), Two');
    expect((await render(body, { tagged: false })).tags).toEqual([]);
  });

  it('prints backgrounds unless disabled, and uses the colours of the medium', async () => {
    const body = `<style>@media screen { p { background: #0000ff } }</style><p style="color:#ff0000">text</p>
      <div style="background:#00ff00;height:50px"></div>`;
    const { fills } = await render(body);
    expect(fills).toEqual(expect.arrayContaining(['#ff0000', '#00ff00']));
    expect(fills).not.toContain('#0000ff');
    const without = await render(body, { print_background: false });
    expect(without.fills).toContain('#ff0000');
    expect(without.fills).not.toContain('#00ff00');
    expect((await render(body, { media: 'screen' })).fills).toContain('#0000ff');
  });

  it('prints all of a scroll container', async () => {
    const rows = '<p style="height:50px">row</p>'.repeat(60);
    const shell = `<style>body, main { height: 100vh; overflow: hidden } main { overflow-y: auto }</style><main>${rows}<p>the last</p></main>`;
    const { count, pages } = await render(shell);
    expect(count).toBeGreaterThanOrEqual(3);
    expect(pages.at(-1)?.text).toContain('the last');
  });

  it('has no empty sheets where an item of a grid is at the end of a long row', async () => {
    const lines = '<p style="height:50px">line</p>'.repeat(80);
    const grid = (styles: string, item: string) =>
      `<div style="display:grid;grid-template-columns:1fr 100px;${styles}"><main>${lines}</main><p style="height:100px;${item}">beside</p></div>`;
    for (const [styles, item] of [
      ['', 'align-self:end'],
      ['align-items:end', ''],
      ['align-items:center', ''],
    ] as const) {
      const { pages } = await render(grid(styles, item));
      expect(pages).toHaveLength(4);
      for (const { text } of pages) expect(text).toMatch(/^(line ?){10,}/);
      expect(pages[0]?.text).toContain('beside');
    }
    // Short rows stay as they are.
    const cell = (text: string, styles: string) => `<div style="${styles}"><p style="height:100px">${text}</p></div>`;
    const rows = Array.from(
      { length: 10 },
      (_, index) => cell(`tall ${index}`, 'height:400px') + cell(`low ${index}`, 'align-self:end'),
    );
    const short = `<div style="display:grid;grid-template-columns:1fr 1fr">${rows.join('')}</div>`;
    const read = `${short}<p></p><script>addEventListener('beforeprint', () => {
      const all = [...document.querySelectorAll('div > div')].filter((each) => each.style.alignSelf === 'end');
      document.querySelector('body > p').textContent = all.length + ' at the end' })</script>`;
    expect((await render(read)).pages.at(-1)?.text).toContain('10 at the end');
  });

  describe('header_html and footer_html', () => {
    const margin = { top: '1in', bottom: '1in' };
    const small = 'style="font-size:10px"';

    it('are on every page, with Chromium’s placeholders filled in', async () => {
      const { pages } = await render(numbered(2), {
        margin,
        header_html: `<div ${small}>[<span class="title"></span>|<span class="url"></span>]</div>`,
        footer_html: `<div ${small}>Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>`,
      });
      expect(pages[0]?.text).toContain('[A title|about:blank]');
      expect(pages[0]?.text).toContain('Page 1 of');
      expect(pages[1]?.text).toContain('Page 2 of');
    });

    it('leave the header or footer empty that is not given', async () => {
      const { pages } = await render('<p>body', { margin, footer_html: `<div ${small}>foot</div>` });
      expect(pages[0]?.text).toBe('body foot');
      expect((await render('<p>body', { margin, header_html: ' ' })).pages[0]?.text).toBe('body');
    });

    it('run no scripts and load nothing', async () => {
      const secret = await openPageServer({});
      const at = (path: string) => secret.url(path);
      const hostile = `<div ${small}>shown</div>
        <script>document.body.append('ran')</script><img src=x onerror="document.body.append('ran')">
        <img src="${at('/image')}"><iframe src="${at('/frame')}"></iframe><iframe src="file:///etc/passwd"></iframe>
        <object data="${at('/object')}"></object><link rel="stylesheet" href="${at('/sheet')}">
        <link rel="preload" as="font" href="${at('/font')}"><meta http-equiv="refresh" content="0;url=${at('/away')}">
        <style>@import "${at('/import')}"; @IMPORT url(${at('/import')});
          @font-face { font-family: mine; src: url( '${at('/font')}' ) } div { font-family: mine; mask: url(${at('/mask')}) }</style>
        <svg><style>@import url("${at('/import')}")</style><image href="${at('/image')}"/></svg>
        <video src="${at('/video')}" poster="${at('/poster')}" autoplay></video>`;
      try {
        const { pages } = await render('<p>body', { margin, header_html: hostile });
        expect(pages[0]?.text).toBe('body shown');
        expect(secret.hits()).toBe(0);
      } finally {
        await secret.close();
      }
    });

    it('show data: images', async () => {
      const image = `<img style="width:9px" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==">`;
      expect((await render('<p>', { margin })).images).toBe(0);
      expect((await render('<p>', { margin, header_html: image })).images).toBe(1);
    });
  });

  describe('of WebGL', () => {
    /** A canvas that is filled with a colour once, or in every frame. */
    const drawing = (color: string, { frames = false, attributes = {}, kind = 'webgl' } = {}) => `
      <canvas width="300" height="100" style="display:block"></canvas><script>{
        const gl = [...document.querySelectorAll('canvas')].at(-1).getContext('${kind}', ${JSON.stringify(attributes)});
        const draw = () => {
          gl.clearColor(${color}, 1);
          gl.clear(gl.COLOR_BUFFER_BIT);
          ${frames ? 'requestAnimationFrame(draw);' : ''}
        };
        draw() }</script>`;
    const [red, green, blue] = ['1, 0, 0', '0, 1, 0', '0, 0, 1'];
    const all = [
      drawing(red),
      drawing(green, { frames: true, kind: 'webgl2' }),
      drawing(blue, { attributes: { alpha: false } }),
      drawing(red, { frames: true, attributes: { alpha: false, preserveDrawingBuffer: true } }),
    ].join('');
    const colors = ['#ff0000', '#00ff00', '#0000ff', '#ff0000'];

    it('shows the drawings of canvases, drawn once or in every frame', async () => {
      expect((await render(all)).imageColors).toEqual(colors);
      expect((await render(`${all}<p style="height:3000px">`)).imageColors).toEqual(colors);
      expect((await render(all, { single_page: true })).imageColors).toEqual(colors);
    });

    it('shows drawings on pages and in frames of other sites, and together with a screenshot', async () => {
      const other = server.url('/drawing').replace('127.0.0.1', 'localhost');
      server.serve({ '/drawing': all, '/framing': `<iframe width="400" height="500" src="${other}"></iframe>` });
      for (const path of ['/drawing', '/framing']) {
        const { file } = await worker.render('pdf', { url: server.url(path) });
        expect((await readPdf(file.bytes)).imageColors).toEqual(colors);
      }
      const { file } = await worker.render('screenshot', { url: server.url('/drawing'), outputs: [{ kind: 'pdf' }] });
      expect((await readPdf(file.outputs![0]!.file.bytes)).imageColors).toEqual(colors);
    });

    it('shows the last frame only of canvases that draw without clearing', async () => {
      // The first frame fills the canvas, and later frames fill a part of it.
      const moving = (left: number) => `<canvas width="300" height="100" style="display:block"></canvas><script>{
        const gl = [...document.querySelectorAll('canvas')].at(-1).getContext('webgl2');
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(0, 0, 300, 100);
        gl.clearColor(1, 0, 0, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.clearColor(0, 1, 0, 1);
        gl.colorMask(true, true, false, true);
        gl.scissor(${left}, 0, 100, 100);
        const draw = () => {
          gl.clear(gl.COLOR_BUFFER_BIT);
          requestAnimationFrame(draw);
        };
        requestAnimationFrame(draw) }</script>`;
      const [middle, side] = (await render(moving(100) + moving(0))).imageColors;
      expect(middle).toBe('#00ff00');
      expect(side).not.toBe('#ff0000');
    });

    it('lets pages read the attributes that they have asked for', async () => {
      const { pages } = await render(`<p></p><script>
        const read = (kind, given) => document.createElement('canvas').getContext(kind, given).getContextAttributes();
        const read2d = document.createElement('canvas').getContext('2d', { alpha: false }).getContextAttributes();
        const all = [read('webgl'), read('webgl2', null), read('webgl', { preserveDrawingBuffer: true, alpha: false })];
        const text = all.map(({ alpha, preserveDrawingBuffer }) => [alpha, preserveDrawingBuffer]).join(' ');
        document.querySelector('p').textContent = text + ' ' + read2d.alpha</script>`);
      expect(pages[0]?.text).toBe('true,false true,false false,true false');
    });
  });

  it('of 500 pages is complete', async () => {
    const lines = '<p>A line of text that fills the page with something.</p>'.repeat(2);
    const chapters = Array.from({ length: 500 }, (_, index) => `<h2>Chapter ${index + 1}</h2>${lines}`);
    server.serve({ '/book': `<!doctype html><style>h2 { break-before: page }</style>${chapters.join('')}<p>The end.` });
    const { file } = await worker.render('pdf', { url: server.url('/book'), outline: true, timeout_ms: 120_000 });
    const { count, outline } = await readPdf(file.bytes, 1);
    expect(count).toBe(500);
    expect(outline.split(', ')).toHaveLength(500);
  });

  it('is measured correctly when the page’s title and language contain PDF syntax', async () => {
    const lang = '/Pages 1 0 R) /Pages 2 0 R \\';
    const html = `<!doctype html><html lang="${lang}"><title>/MediaBox [0 0 1 1] ) /Root 1 0 R ((</title><p>text`;
    const { file } = await worker.render('pdf', { html, paper: 'Letter' });
    expect({ width: file.width, height: file.height }).toEqual({ width: 816, height: 1_056 });
  });
});
