import { openPageServer } from '@capture/testing/network/page-server';
import { describe, expect, it } from '@jest/globals';
import { quiet } from '../worker.test-support.ts';
import { languages } from './banners/languages.test-support.ts';
import { notBanners } from './banners/not-banners.test-support.ts';
import { ownBanners } from './banners/own-banners.test-support.ts';
import { platformBanners } from './banners/platform-banners.test-support.ts';
import { type CleanedPage, openCleaningForTests } from './clean.test-support.ts';
import { Cleaner } from './clean.ts';

const green = '#00ff00';
const blue = '#0000ff';
const red = '#ff0000';

describe('hiding banners that cannot be rejected', () => {
  const { browser, site } = openCleaningForTests();
  const cleaner = new Cleaner({ adListsDir: '/nonexistent', log: quiet });

  const clean = async (banner: string, name: string, before = ''): Promise<CleanedPage> => {
    site.serve({
      '/page': `<!doctype html><html><head><title>${name}</title><style>body { margin: 0; background: ${green} } section { height: 700px }
        .box { width: 200px; height: 100px; margin: 20px; background: ${blue} }</style></head><body>${before}<div class="app"><section><h1>A page</h1><div class="box"></div></section><section>More</section></div>${banner}</body></html>`,
    });
    return browser.clean(site.url('/page'), { block_cookie_banners: true }, cleaner);
  };
  const expectClean = async (cleaned: CleanedPage) => {
    expect(cleaned.shows(red)).toBe(false);
    // The page is neither dimmed nor blurred.
    expect(cleaned.at(790, 550)).toBe(green);
    expect(cleaned.shows(blue)).toBe(true);
    expect(await cleaned.evaluate(`(scrollTo(0, 500), scrollY)`)).toBeGreaterThan(0);
    expect(cleaned.report?.cookie_banner).toMatchObject({ result: 'hidden' });
    expect(cleaned.report?.cookie_banner?.hidden.length).toBeGreaterThan(0);
  };

  describe('hides the banner of', () => {
    it.each(Object.entries(platformBanners))('%s', async (name, banner) => {
      await expectClean(await clean(banner, name));
    });
  });

  describe('hides a banner of a site’s own', () => {
    it.each(Object.entries(ownBanners))('%s', async (name, banner) => {
      await expectClean(await clean(banner, name));
    });
  });

  describe('knows banners in', () => {
    const all = Object.entries(languages);
    const groups = Array.from({ length: Math.ceil(all.length / 6) }, (_, n) => all.slice(n * 6, n * 6 + 6));
    it.each(groups.map((group) => [group.map(([name]) => name).join(', '), group] as const))(
      '%s',
      async (names, group) => {
        const boxes = group.map(
          ([, [text, button]], n) =>
            `<div style="position:fixed; left:250px; width:300px; height:70px; top:${n * 90}px; background:${red}"><p>${text}</p><button>${button}</button></div>`,
        );
        const cleaned = await clean(boxes.join(''), names);
        const left = await cleaned.evaluate(
          `[...document.querySelectorAll('body > div')].filter((box) => box.checkVisibility()).map((box) => box.innerText)`,
        );
        expect(left).toHaveLength(1);
        await expectClean(cleaned);
      },
    );
  });

  describe('leaves', () => {
    it.each(Object.entries(notBanners))('%s', async (name, other) => {
      const cleaned = await clean('', name, other);
      expect(cleaned.shows(red)).toBe(true);
      expect(cleaned.report?.cookie_banner).toMatchObject({ result: 'none', hidden: [] });
    });
  });

  it('hides a frame of a consent platform on another site, and the box around it', async () => {
    const other = await openPageServer({
      '/index.html': `<body style="margin:0; background:${red}"><p>We and our partners use cookies.</p><button>Accept</button>`,
    });
    try {
      const cleaned = await clean(
        `<style>html.sp-message-open body { overflow: hidden; position: fixed; top: 0 }</style><script>document.documentElement.classList.add('sp-message-open')</script>
         <div id="sp_message_container_729" style="position:fixed; inset:0; z-index:9999; background:rgba(0,0,0,.5)"><iframe id="sp_message_iframe_729" src="${other.url('/index.html?message_id=729', 'localhost')}" width="800" height="400" style="border:0"></iframe></div>`,
        'Sourcepoint',
      );
      await expectClean(cleaned);
    } finally {
      await other.close();
    }
  });

  it('hides a frame without a name, by its text', async () => {
    const other = await openPageServer({
      '/index.html': `<body style="margin:0; background:${red}"><p>We and our partners use cookies on this website.</p><button>Accept all</button>`,
    });
    try {
      const frame = other.url('/index.html', 'localhost');
      const cleaned = await clean(
        `<div style="position:fixed; left:0; right:0; bottom:0; z-index:99"><iframe src="${frame}" width="800" height="200" style="border:0"></iframe></div>`,
        'frame',
      );
      await expectClean(cleaned);
    } finally {
      await other.close();
    }
  });
});
