import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { openForTests, openSecretForTests, type Pixels, readPixels } from '../worker.test-support.ts';
import { cardDocument } from './card-document.ts';
import type { RenderedFile } from './renderer.ts';

const green = '#00ff00';

describe('an OG image', () => {
  const image = (width: number, height: number) => {
    const png = sharp({ create: { width, height, channels: 3, background: green } }).png();
    let drawn: Promise<Buffer> | undefined;
    return async (_: IncomingMessage, response: ServerResponse) => {
      drawn ??= png.toBuffer();
      response.writeHead(200, { 'content-type': 'image/png' }).end(await drawn);
    };
  };
  const { server, worker } = openForTests(
    {
      '/usual.png': image(1_200, 630),
      '/square.png': image(600, 600),
      '/tall.png': image(300, 2_000),
      '/wide.png': image(2_000, 200),
      '/dot.png': image(1, 1),
      '/huge.png': image(7_100, 7_100),
      '/never.png': 'hang',
    },
    { account: 'account' },
  );
  const secret = openSecretForTests({ '/usual.png': image(1_200, 630) });

  async function draw(head: string, options: Record<string, unknown> = {}): Promise<RenderedFile> {
    server.serve({ '/page': head });
    const { file } = await worker.render('og_image', { url: server.url('/page'), ...options });
    expect({ width: file.width, height: file.height }).toEqual({ width: 1_200, height: 630 });
    return file;
  }
  const card = async (head: string, options: Record<string, unknown> = {}): Promise<Pixels> =>
    readPixels(await draw(`<!doctype html>${head}`, { template: 'card', ...options }));
  const og = (property: string, content: string) =>
    `<meta property="og:${property}" content="${content.replaceAll('"', '&quot;')}">`;
  const title = og('title', 'A title');

  /** Returns the share of pixels with a colour, sampled at every fourth pixel in both directions. */
  function share(pixels: Pixels, colour: string, { from = 0, to = 1_200 } = {}): number {
    let found = 0;
    let all = 0;
    for (let x = from; x < to; x += 4) {
      for (let y = 0; y < 630; y += 4) {
        all += 1;
        if (pixels.at(x, y) === colour) found += 1;
      }
    }
    return found / all;
  }
  /** Returns the background colour. */
  const ground = (pixels: Pixels) => pixels.at(60, 620);
  const isDark = (pixels: Pixels) => Number.parseInt(ground(pixels).slice(1, 3), 16) < 0x40;
  /** Returns the share of a region that is not background: text or an image. */
  const inked = (pixels: Pixels, left: number, top: number, width: number, height: number) => {
    const lightness = (colour: string) => Number.parseInt(colour.slice(3, 5), 16);
    const background = lightness(ground(pixels));
    let found = 0;
    for (let x = left; x < left + width; x += 2) {
      for (let y = top; y < top + height; y += 2) {
        if (Math.abs(lightness(pixels.at(x, y)) - background) > 60) found += 1;
      }
    }
    return found / ((width * height) / 4);
  };

  it('of the page shows it at 1200 × 630, in every format', async () => {
    const body = `<!doctype html><style>body { margin: 0; width: 1200px; height: 630px; background: ${green} }
      @media (width: 1200px) and (height: 630px) and (resolution: 1dppx) { body { background: #0000ff } }</style>`;
    for (const format of ['jpeg', 'webp', 'png']) {
      const file = await draw(body, { format });
      expect((await sharp(file.bytes).metadata()).format).toBe(format);
      if (format !== 'png') continue;
      const pixels = await readPixels(file);
      expect([pixels.at(0, 0), pixels.at(1_199, 629)]).toEqual(['#0000ff', '#0000ff']);
    }
  });

  it('as a card is 1200 × 630 for any page', async () => {
    for (const format of ['png', 'jpeg', 'webp']) {
      const file = await draw('<body style="width:5000px;height:5000px">', { template: 'card', format });
      expect((await sharp(file.bytes).metadata()).format).toBe(format);
    }
  });

  it('places the image according to its aspect ratio', async () => {
    const shown = async (path: string) => card(`${title}${og('image', path)}`);
    const usual = await shown('/usual.png');
    expect(share(usual, green, { from: 660, to: 1_150 })).toBeGreaterThan(0.35);
    expect(share(usual, green, { to: 640 })).toBe(0);
    for (const upright of ['/square.png', '/tall.png']) {
      expect(share(await shown(upright), green, { from: 780 })).toBeGreaterThan(0.95);
    }
    const banner = await shown('/wide.png');
    expect(banner.at(600, 100)).toBe(green);
    expect(banner.at(600, 400)).not.toBe(green);
  });

  it('omits images that do not load, are tiny or huge, or have an invalid URL', async () => {
    const plain = await draw(`<!doctype html>${title}`, { template: 'card' });
    const odd = ['/missing.png', '/never.png', '/dot.png', '/huge.png', 'javascript:alert(1)', 'file:///etc/passwd'];
    for (const url of [...odd, 'data:image/png;base64,iVBORw0KGgo=', 'http://', 'http://a:b@127.0.0.1/']) {
      const file = await draw(`<!doctype html>${title}${og('image', url)}`, { template: 'card' });
      expect({ url, same: file.bytes.equals(plain.bytes) }).toEqual({ url, same: true });
    }
  });

  it('does not load images from addresses that captures may not reach', async () => {
    const page = `${title}${og('image', secret.url('/usual.png'))}<link rel="icon" href="${secret.url('/usual.png')}">`;
    expect(share(await card(page), green)).toBe(0);
  });

  it('shows the page’s text, or the client’s instead', async () => {
    const drawn = async (head: string, options = {}) =>
      (await draw(`<!doctype html>${head}`, { template: 'card', ...options })).bytes.toString('base64');
    const wanted = await drawn(`${title}${og('description', 'Text')}${og('site_name', 'Site')}`);
    expect(
      await drawn(`<title>A title</title><meta name="description" content="Text">${og('site_name', 'Site')}`),
    ).toBe(wanted);
    expect(
      await drawn(
        `<title>no</title><meta name="twitter:title" content=" A  title "><meta name="twitter:description" content="Text">${og('site_name', 'Site')}`,
      ),
    ).toBe(wanted);
    const over = { title: 'A title', description: 'Text' };
    expect(await drawn(`${og('title', 'x')}${og('description', 'y')}${og('site_name', 'Site')}`, over)).toBe(wanted);
    expect(await drawn(`${og('title', 'x')}${og('description', 'Text')}${og('site_name', 'Site')}`)).not.toBe(wanted);
  });

  it('is light or dark as requested, or like the page', async () => {
    const night = '<style>body { background: #101010 }</style>';
    expect(isDark(await card(title, { theme: 'dark' }))).toBe(true);
    expect(isDark(await card(title + night, { theme: 'light' }))).toBe(false);
    for (const [head, dark] of [
      [title, false],
      [title + night, true],
      [`${title}<meta name="color-scheme" content="dark">`, true],
      [`${title}<meta name="color-scheme" content="dark light">`, false],
      [`${title}<meta name="theme-color" content="#000">`, false],
    ] as const) {
      expect(isDark(await card(head))).toBe(dark);
    }
    const both = `${title}<style>@media (prefers-color-scheme: dark) { body { background: #000 } }</style>`;
    expect(isDark(await card(both))).toBe(false);
    expect(isDark(await card(both, { dark_mode: true }))).toBe(true);
  });

  it('uses the page’s theme colour', async () => {
    const bar = async (head: string) => (await card(title + head)).at(5, 300);
    expect(await bar('<meta name="theme-color" content="rgb(200, 0, 0)">')).toBe('#c80000');
    expect(
      await bar('<meta name="theme-color" media="print" content="red"><meta name="theme-color" content="#c80000">'),
    ).toBe('#c80000');
    const own = await bar('');
    expect(await bar('<meta name="theme-color" content="red} body { display: none">')).toBe(own);
  });

  // A square image leaves the narrowest column to the text, and a wide image the fewest lines.
  const tight = ['/square.png', '/wide.png'];
  it.each<[string, string, string[]?]>([
    ['many words', 'word '.repeat(60), ['', '/usual.png', ...tight]],
    ['a long word', 'W'.repeat(400)],
    ['URLs', 'https://example.com/'.repeat(20)],
    ['Japanese', '漢字かな交じりの長い題名'.repeat(20)],
    ['Arabic', 'عنوان طويل جدا '.repeat(30)],
    ['emoji', '👩‍💻🎉'.repeat(100)],
    ['many marks on a letter', `e${'\u0301'.repeat(200)} with marks`],
  ])('keeps %s inside the card', async (name, text, images = tight) => {
    for (const image of images) {
      const head = `${og('title', text)}${og('description', text)}${image && og('image', image)}`;
      const pixels = await card(head);
      // The text shows, and the margins above and below are empty.
      const left = name === 'Arabic' ? 610 : 90;
      expect({ image, shown: inked(pixels, left, 130, 500, 400) > 0.005 }).toEqual({ image, shown: true });
      expect(inked(pixels, left, 622, 500, 8)).toBe(0);
      if (image !== '/wide.png') expect(inked(pixels, left, 0, 500, 40)).toBe(0);
    }
  });

  it.each([
    ['Arabic', 'لُغَةٌ ٱلْكِتَٰبُ بيتٍ'],
    ['Burmese', 'ကြိုက်သည် ကျွန်ုပ် ရှိုး'],
    ['Hindi', 'ट्रैक्टर पूँजी कृषि'],
    ['Khmer', 'ព្រឹត្តិ ស្ត្រី ប្រយ័ត្ន'],
    ['Thai', 'ที่ ปู่ ฎู'],
    ['Tibetan', 'བསྒྲུབས་ ཧཱུྃ'],
    ['Vietnamese', 'Ấn Độ Ễnh ỔN ĐỊNH'],
    ['Latin', 'Ågnes jumped (quickly)'],
  ])('shows the marks of %s above and below the lines', async (_, text) => {
    const [siteName, description] = [`1 ${text}`, `2 ${text}`];
    const drawn = await card(`${og('title', text)}${og('description', description)}${og('site_name', siteName)}`);
    const metadata = { title: text, description, siteName, host: '127.0.0.1', lang: '' };
    const whole = cardDocument({ ...metadata, image: null, icon: null, color: null, dark: false }, { theme: 'auto' });
    const unclipped = '.main, .title, .text, .name { overflow: visible !important } .title { font-size: 84px }';
    server.serve({ '/whole': whole.replace('</style>', `${unclipped}</style>`) });
    const { image } = await worker.capture(server.url('/whole'), { width: 1_200, height: 630, format: 'png' });
    const expected = await readPixels(image);
    const differing = Array.from({ length: 630 }, (_, y) => y).filter((y) =>
      Array.from({ length: 1_200 }, (_, x) => x).some((x) => drawn.at(x, y) !== expected.at(x, y)),
    );
    expect(differing).toEqual([]);
  });

  it('leaves room for the host below tall lines beside every image', async () => {
    const text = 'မြန်မာနိုင်ငံသည် ကျွန်ုပ်တို့၏ ချစ်လှစွာသော ကြိုက်သည် ဂြိုဟ် '.repeat(4);
    for (const image of ['', '/usual.png', ...tight]) {
      const texts = `${og('title', text)}${og('description', `1 ${text}`)}${og('site_name', 'A site')}`;
      const pixels = await card(`${texts}${image && og('image', image)}`);
      const bottom = image === '/wide.png' ? 598 : 570;
      const host = inked(pixels, 86, bottom - 34, 200, 34);
      const margin = inked(pixels, 86, bottom, 200, 630 - bottom);
      expect({ image, host: host > 0.02, margin }).toEqual({ image, host: true, margin: 0 });
    }
  });

  it.each([
    ['of one word', 'W'.repeat(400)],
    ['without spaces', '漢字かな交じりの長い題名'.repeat(20)],
  ])('shows no part of the line after the last one of a title %s', async (_, text) => {
    const pixels = await card(og('title', text));
    const rows = Array.from({ length: 400 }, (_, row) => inked(pixels, 86, 120 + row, 1_000, 2) > 0);
    expect(rows.filter((isInked, row) => isInked && !rows[row - 1])).toHaveLength(4);
  });

  it('is mirrored for right-to-left text', async () => {
    const pixels = await card(og('title', 'כותרת קצרה'), { theme: 'light' });
    expect(pixels.at(1_195, 300)).toBe((await card(title, { theme: 'light' })).at(5, 300));
    expect(inked(pixels, 700, 200, 420, 230)).toBeGreaterThan(0.01);
  });

  it('works for a document sent as html, and for hostile pages', async () => {
    const { file } = await worker.render('og_image', { html: `<title>Mine</title>`, template: 'card' });
    expect(inked(await readPixels(file), 86, 200, 500, 230)).toBeGreaterThan(0.01);
    for (const head of [
      `${title}<form name="querySelectorAll"></form><img name="title">`,
      `${title}<script>Array.prototype.map = String.prototype.replace = () => { throw 1 }</script>`,
    ]) {
      expect(inked(await card(head), 86, 200, 500, 230)).toBeGreaterThan(0.01);
    }
    server.serve({
      '/strict': {
        headers: { 'content-security-policy': "default-src 'none'; require-trusted-types-for 'script'" },
        body: title,
      },
    });
    const strict = await worker.render('og_image', { url: server.url('/strict'), template: 'card' });
    expect(inked(await readPixels(strict.file), 86, 200, 500, 230)).toBeGreaterThan(0.01);
  });
});
