import { findAdLists } from '@capture/provisioning/ad-lists';
import { findOrInstallAdLists } from '@capture/provisioning/install-ad-lists';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { quiet } from '../worker.test-support.ts';
import { type CleaningBrowser, openCleaningBrowser } from './clean.test-support.ts';
import { Cleaner } from './clean.ts';

/** The time includes installing the package. */
const installWithinMs = 300_000;

/** Tests EasyList and its companions on this machine. If no lists can be found or installed, captures run without lists. */
describe('block_ads with the lists of the machine', () => {
  let browser: CleaningBrowser;
  let site: PageServer;
  let names: string[];

  beforeAll(async () => {
    await findOrInstallAdLists(process.env, () => undefined);
    names = (await findAdLists(process.env.AD_LISTS_DIR || undefined)).map(({ name }) => name);
    browser = await openCleaningBrowser();
    // The lists except pages on 127.0.0.1.
    site = await openPageServer(
      {
        '/': `<!doctype html><style>body { margin: 0; background: #00ff00 } div { height: 100px; background: #ff0000 }</style>
        <div id="ad_banner"></div><div class="ad-slot"></div>
        <div id="content" style="background:#0000ff"></div>
        <script src="http://securepubads.g.doubleclick.net/tag/js/gpt.js"></script>
        <script src="http://www.google-analytics.com/analytics.js"></script>
        <img src="http://pagead2.googlesyndication.com/pagead/imgad?id=1">
        <script src="/app.js"></script>`,
        '/long': `<!doctype html><body><script>
          new Image().src = 'http://images.example/aqe/ndh/events/' + '/b/ss/'.repeat(300_000);
        </script><script src="/app.js"></script>`,
        '/app.js': { headers: { 'content-type': 'text/javascript' }, body: 'window.app = true' },
      },
      '127.0.0.2',
    );
  }, installWithinMs);
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it('blocks well-known ad hosts, and nothing else', async () => {
    const cleaner = new Cleaner({ adListsDir: process.env.AD_LISTS_DIR || undefined, log: quiet });
    const cleaned = await browser.clean(site.url(), { block_ads: true }, cleaner);
    expect(await cleaned.evaluate('window.app')).toBe(true);
    expect(cleaned.report?.ads?.lists.map(({ name }) => name)).toEqual(names);
    if (names.length === 0) {
      expect(cleaned.report?.ads?.note).toMatch(/^No ad lists/);
      return;
    }
    expect(cleaned.at(400, 50)).toBe('#0000ff');
    expect(cleaned.at(400, 150)).toBe('#00ff00');
    expect(Object.keys(cleaned.report?.ads?.blocked_hosts ?? {}).sort()).toEqual([
      'pagead2.googlesyndication.com',
      'securepubads.g.doubleclick.net',
      'www.google-analytics.com',
    ]);
  });

  it('compares only the beginning of an address of megabytes', async () => {
    const cleaner = new Cleaner({ adListsDir: process.env.AD_LISTS_DIR || undefined, log: quiet });
    const cleaned = await browser.clean(site.url('/long'), { block_ads: true }, cleaner);
    expect(await cleaned.evaluate('window.app')).toBe(true);
  });
});
