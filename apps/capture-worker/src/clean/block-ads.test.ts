import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ListFolder, makeLists, openCleaningForTests } from './clean.test-support.ts';

const green = '#00ff00';
const red = '#ff0000';
const svg = (colour: string) => ({
  headers: { 'content-type': 'image/svg+xml' },
  body: `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="${colour}"/></svg>`,
});
const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });

describe('block_ads', () => {
  const { browser, site } = openCleaningForTests();
  let ads: PageServer;
  let lists: ListFolder;

  beforeAll(async () => {
    ads = await openPageServer({
      '/tag.js': script(`document.documentElement.style.background = '${red}'`),
      '/frame': `<body style="background:${red}">`,
      '/banner.svg': svg(red),
      '/allowed.svg': svg(green),
      '/style.css': { headers: { 'content-type': 'text/css' }, body: `body { background: ${red} !important }` },
      '/data': 'x',
    });
    lists = await makeLists({
      'ads.txt': [
        '! Title: Our ads',
        '! Version: 7',
        '! Last modified: 20 Nov 2026 10:00 UTC',
        '||localhost^$third-party',
        '@@||localhost^*/allowed.svg',
        '/first-party-ads/*$image',
        '##.advert',
        '##.nonsense:nth-child(-)',
        '##.styled {remove:true;}',
        '127.0.0.1###sponsored',
        'elsewhere.example##.kept',
        '##.excepted',
        '127.0.0.1#@#.excepted',
      ].join('\n'),
    });
  });
  afterAll(() => ads.close());

  const page = (path: string, body: string) => {
    site.serve({ [path]: `<!doctype html><style>body { margin: 0; background: ${green} }</style>${body}` });
    return site.url(path);
  };
  const ad = (path: string) => ads.url(path, 'localhost');

  it('blocks scripts, frames, images, styles and fetches, and hides their empty boxes', async () => {
    const url = page(
      '/full',
      `<iframe src="${ad('/frame')}" width="200" height="100" style="border:0; display:block"></iframe>
       <img src="${ad('/banner.svg')}" width="200" height="100" style="display:block !important">
       <div style="width:800px; height:50px; background:#0000ff"></div>
       <script src="${ad('/tag.js')}"></script>
       <link rel="stylesheet" href="${ad('/style.css')}">
       <script>fetch('${ad('/data')}').catch(() => { window.blocked = true })</script>`,
    );
    const before = ads.hits();
    const cleaned = await browser.clean(url, { block_ads: true }, lists.cleaner);
    expect(ads.hits()).toBe(before);
    // Elements below the ads have moved to the top.
    expect([cleaned.at(100, 25), cleaned.at(100, 75), cleaned.at(100, 300)]).toEqual(['#0000ff', green, green]);
    expect(await cleaned.evaluate('window.blocked')).toBe(true);
    expect(cleaned.report).toEqual({
      ads: {
        lists: [{ name: 'Our ads', version: '7', date: '2026-11-20' }],
        note: null,
        blocked_requests: 5,
        blocked_hosts: { [`localhost:${ads.port}`]: 5 },
        hidden_elements: 2,
      },
      cookie_banner: null,
    });
    expect(cleaned.changed).toBe(true);
  });

  it('blocks nothing unless requested', async () => {
    const url = page('/not-asked', `<img src="${ad('/banner.svg')}" style="display:block">`);
    const before = ads.hits('/banner.svg');
    const cleaned = await browser.clean(url, {}, lists.cleaner);
    expect(cleaned.at(100, 50)).toBe(red);
    expect(ads.hits('/banner.svg')).toBe(before + 1);
    expect(cleaned.report).toBeNull();
  });

  it('allows exceptions of the lists and the page’s own requests', async () => {
    site.serve({ '/own.svg': svg('#0000ff'), '/first-party-ads/x.svg': svg(red) });
    const url = page(
      '/own',
      `<img src="/own.svg" style="display:block"><img src="${ad('/allowed.svg')}" style="display:block">
       <img src="/first-party-ads/x.svg" style="display:block">`,
    );
    const cleaned = await browser.clean(url, { block_ads: true }, lists.cleaner);
    expect([cleaned.at(100, 50), cleaned.at(100, 150), cleaned.at(100, 250)]).toEqual(['#0000ff', green, green]);
    expect(cleaned.report?.ads).toMatchObject({ blocked_requests: 1, hidden_elements: 1 });
  });

  it('hides elements by generic and by site-specific rules', async () => {
    const box = (name: string, colour: string) => `<div ${name} style="height:100px; background:${colour}"></div>`;
    const url = page(
      '/elements',
      box('class="advert nonsense styled"', red) +
        box('id="sponsored"', red) +
        box('class="kept"', '#0000ff') +
        box('class="excepted"', '#ffff00'),
    );
    const cleaned = await browser.clean(url, { block_ads: true }, lists.cleaner);
    expect([cleaned.at(50, 50), cleaned.at(50, 150), cleaned.at(50, 250)]).toEqual(['#0000ff', '#ffff00', green]);
    expect(cleaned.report?.ads?.hidden_elements).toBe(2);
  });

  it('hides elements that appear later, when called again', async () => {
    const url = page(
      '/later',
      `<p>text</p><script>
        setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div class="advert" style="position:fixed; inset:0; background:${red}">'), 0);
      </script>`,
    );
    expect((await browser.clean(url, { block_ads: true }, lists.cleaner)).at(400, 500)).toBe(green);
  });

  it('blocks the target of a redirect', async () => {
    site.serve({ '/moved': { status: 302, headers: { location: ad('/banner.svg') } } });
    const before = ads.hits();
    const cleaned = await browser.clean(page('/redirect', '<img src="/moved">'), { block_ads: true }, lists.cleaner);
    expect(ads.hits()).toBe(before);
    expect(cleaned.report?.ads?.blocked_requests).toBe(1);
  });

  it('decides what is third-party from the frame that sends the request', async () => {
    site.serve({
      '/inner': `<body style="margin:0; background:#0000ff"><img src="${ad('/banner.svg')}">`,
    });
    const other = await openPageServer({
      '/outer': `<!doctype html><iframe src="${site.url('/inner')}" style="border:0; position:fixed; inset:0" width="800" height="600"></iframe>
        <img src="${ad('/banner.svg')}">`,
    });
    try {
      const before = ads.hits();
      const cleaned = await browser.clean(other.url('/outer', 'localhost'), { block_ads: true }, lists.cleaner);
      expect(cleaned.at(400, 500)).toBe('#0000ff');
      // Ads on localhost are first-party for the page on localhost, but third-party for its frame.
      expect(cleaned.report?.ads?.blocked_requests).toBe(1);
      expect(ads.hits()).toBe(before + 1);
    } finally {
      await other.close();
    }
  });

  it('never blocks the page itself', async () => {
    const all = await makeLists({ 'all.txt': '*$document\n||127.0.0.1^\n/page-of-ads^' });
    const url = page('/page-of-ads', '<img src="/own.svg">');
    const cleaned = await browser.clean(url, { block_ads: true }, all.cleaner);
    expect(cleaned.at(400, 300)).toBe(green);
    expect(cleaned.report?.ads?.blocked_requests).toBe(1);
  });

  it('blocks nothing without lists, and reports it', async () => {
    const none = await makeLists({});
    const url = page('/no-lists', `<img src="${ad('/banner.svg')}" style="display:block">`);
    const cleaned = await browser.clean(url, { block_ads: true }, none.cleaner);
    expect(cleaned.at(100, 50)).toBe(red);
    expect(cleaned.report?.ads).toEqual({
      lists: [],
      note: 'No ad lists were found where the worker runs.',
      blocked_requests: 0,
      blocked_hosts: {},
      hidden_elements: 0,
    });
  });

  it('works on a page that overrides DOM methods', async () => {
    const url = page(
      '/hostile',
      `<div class="advert" style="height:300px; background:${red}"></div>
       <form class="advert"><input name="classList"><input name="checkVisibility"><input name="getAttribute"></form>
       <img name="querySelectorAll"><img name="body">
       <script>
         Document.prototype.querySelectorAll = () => { for (;;); };
         CSSStyleSheet.prototype.insertRule = () => { throw 1 };
         Element.prototype.checkVisibility = () => { for (;;); };
         for (let n = 0; n < 3_000; n += 1) document.documentElement.append(Object.assign(document.createElement('i'), { id: 'x' + n, className: 'y' + n }));
       </script>`,
    );
    const cleaned = await browser.clean(url, { block_ads: true }, lists.cleaner);
    expect(cleaned.at(400, 100)).toBe(green);
  });
});
