import { openPageServer } from '@capture/testing/network/page-server';
import { describe, expect, it } from '@jest/globals';
import { quiet } from '../worker.test-support.ts';
import { type CleanedPage, makeLists, openCleaningForTests } from './clean.test-support.ts';
import { Cleaner } from './clean.ts';

const green = '#00ff00';
const red = '#ff0000';

describe('block_cookie_banners', () => {
  const { browser, site } = openCleaningForTests();
  const cleaner = new Cleaner({ adListsDir: '/nonexistent', log: quiet });

  const clean = (body: string): Promise<CleanedPage> => {
    site.serve({ '/page': `<!doctype html><style>body { margin: 0; background: ${green} }</style><p>text</p>${body}` });
    return browser.clean(site.url('/page'), { block_cookie_banners: true }, cleaner);
  };
  const over = `position:fixed; inset:0; background:${red}`;
  /** Returns markup of CookieYes. */
  const banner = (onReject: string, onAccept = '') => `
    <div class="cky-consent-container" style="${over}"><p>We use cookies</p>
      <button data-cky-tag="accept-button" onclick="${onAccept}">Accept All</button>
      <button data-cky-tag="reject-button" onclick="${onReject}">Reject All</button>
    </div>`;
  const gone = `document.querySelector('.cky-consent-container').remove()`;

  it('rejects a known banner', async () => {
    const cleaned = await clean(banner(`${gone}; window.choice = 'no'`, `${gone}; window.choice = 'yes'`));
    expect(cleaned.at(400, 300)).toBe(green);
    expect(await cleaned.evaluate('window.choice')).toBe('no');
    expect(cleaned.changed).toBe(true);
    expect(cleaned.report).toEqual({
      ads: null,
      cookie_banner: {
        rules: expect.stringMatching(/^autoconsent \d+\.\d+\.\d+$/),
        cmp: 'cookieyes',
        result: 'opted_out',
        elapsed_ms: expect.any(Number),
        hidden: [],
        lists: [],
      },
    });
  });

  it('leaves the banner unless requested', async () => {
    site.serve({ '/page': banner(gone) });
    const cleaned = await browser.clean(site.url('/page'), {}, cleaner);
    expect(cleaned.at(400, 300)).toBe(red);
    expect(cleaned.report).toBeNull();
  });

  it('waits until a banner has faded out', async () => {
    const fade = `this.parentNode.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 400, fill: 'forwards' })`;
    const cleaned = await clean(banner(fade));
    expect(cleaned.at(400, 300)).toBe(green);
  });

  it('hides a banner that cannot be rejected', async () => {
    const stubborn = `<div class="cky-consent-container" style="${over}">
      <button data-cky-tag="settings-button">Settings</button></div>`;
    const cleaned = await clean(stubborn);
    expect(cleaned.at(400, 300)).toBe(green);
    expect(cleaned.report?.cookie_banner).toMatchObject({
      cmp: 'cookieyes',
      result: 'hidden',
      hidden: ['div.cky-consent-container'],
    });
  });

  it('hides a banner with a cosmetic rule', async () => {
    const cleaned = await clean(`<div id="privacy-test-page-cmp-test-banner" style="${over}">cookies</div>`);
    expect(cleaned.at(400, 300)).toBe(green);
    expect(cleaned.report?.cookie_banner).toMatchObject({
      cmp: 'Test page cosmetic CMP',
      result: 'hidden',
      hidden: ['div#privacy-test-page-cmp-test-banner'],
    });
  });

  it('runs a rule’s snippet in the page’s main world', async () => {
    const cleaned = await clean(`
      <div id="CybotCookiebotDialog" style="${over}">cookies</div>
      <script>
        const dialog = document.getElementById('CybotCookiebotDialog');
        window.Cookiebot = {
          hasResponse: false,
          dialog: { visible: true },
          withdraw() { this.declined = true; return true },
          hide() { dialog.remove(); return true },
        };
      </script>`);
    expect(cleaned.at(400, 300)).toBe(green);
    expect(await cleaned.evaluate('window.Cookiebot.declined')).toBe(true);
    expect(cleaned.report?.cookie_banner).toMatchObject({ cmp: 'Cybotcookiebot', result: 'opted_out' });
  });

  it('rejects an unknown banner by its button', async () => {
    const cleaned = await clean(`
      <div id="unknown" role="dialog" style="${over}"><p>We value your privacy. This website uses cookies to analyse traffic.</p>
        <button onclick="window.choice = 'yes'">Accept all</button>
        <button onclick="window.choice = 'no'; document.getElementById('unknown').remove()">Reject all</button></div>`);
    expect(cleaned.at(400, 300)).toBe(green);
    expect(await cleaned.evaluate('window.choice')).toBe('no');
  });

  it('rejects a banner in a cross-site frame', async () => {
    // The markup is that of Sourcepoint.
    const other = await openPageServer({
      '/index.html': `<body style="margin:0; background:${red}"><button class="sp_choice_type_11">Accept</button>
        <button class="sp_choice_type_13" onclick="parent.postMessage('no', '*')">Reject</button>`,
    });
    try {
      const cleaned = await clean(`
        <iframe id="sp_message_iframe_1" src="${other.url('/index.html?message_id=1', 'localhost')}" style="border:0; ${over}" width="800" height="600"></iframe>
        <script>onmessage = ({ data }) => { window.choice = data; document.querySelector('iframe').remove() }</script>`);
      expect(cleaned.report?.cookie_banner).toMatchObject({ result: 'opted_out' });
      expect(await cleaned.evaluate('window.choice')).toBe('no');
      expect(cleaned.at(400, 300)).toBe(green);
    } finally {
      await other.close();
    }
  });

  it('applies the cookie banner lists to elements and requests', async () => {
    const lists = await makeLists({ 'easylist-cookie.txt': '##.notice\n/consent.js$script', 'ads.txt': '##.kept' });
    site.serve({
      '/consent.js': `document.body.style.background = '${red}'`,
      '/listed': `<!doctype html><body style="margin:0; background:${green}"><div class="kept">x</div>
        <div class="notice" style="${over}">x</div><script src="/consent.js"></script>`,
    });
    const cleaned = await browser.clean(site.url('/listed'), { block_cookie_banners: true }, lists.cleaner);
    expect(cleaned.at(400, 300)).toBe(green);
    expect(site.hits('/consent.js')).toBe(0);
    expect(await cleaned.evaluate(`document.querySelector('.kept').checkVisibility()`)).toBe(true);
    expect(cleaned.report?.cookie_banner).toMatchObject({
      result: 'hidden',
      hidden: ['div.notice'],
      lists: [{ name: 'easylist-cookie' }],
    });
  });

  it('takes little time without a banner', async () => {
    const cleaned = await clean('<footer>Privacy policy, cookies</footer>');
    expect(cleaned.report?.cookie_banner).toMatchObject({ cmp: null, result: 'none' });
    expect(cleaned.changed).toBe(false);
    // For a page with a possible banner, a second detection round takes 500 ms alone, and longer on a loaded machine.
    expect(cleaned.actMs).toBeLessThan(3_000);
    expect(cleaned.at(400, 300)).toBe(green);
  });

  describe('withstands a page that', () => {
    it('never ends the call of a rule', async () => {
      const cleaned = await clean(`<script>
        Object.defineProperty(window, 'Cookiebot', { get() { for (;;); } });
        window.__cmp = window.__tcfapi = () => { for (;;); };
      </script>`);
      expect(cleaned.at(400, 300)).toBe(green);
    });

    it('never ends the click of a button', async () => {
      const cleaned = await clean(
        `<div style="position:fixed; inset:0 0 300px; background:#0000ff"></div>${banner('for (;;);')}`,
      );
      expect(cleaned.report?.cookie_banner?.result).toMatch(/^(hidden|unfinished)$/);
    });

    it('overrides DOM methods, built-in objects and the message functions', async () => {
      const cleaned = await clean(`
        <form name="querySelectorAll" class="cky-consent-container"><input name="matches"><input name="click"></form>
        <img name="createElement"><img name="body">
        <script>
          window.autoconsentSendMessage = window.autoconsentReceiveMessage = window.nextConsentMessages = () => { throw 1 };
          Promise.prototype.then = () => { throw 1 };
          Object.prototype.toJSON = () => ({ type: 'autoconsentDone', cmp: '<script>', isCosmetic: false });
          Array.prototype.push = () => { throw 1 };
          for (let n = 0; n < 40; n += 1) document.documentElement.append(document.createElement('iframe'));
        </script>`);
      expect(cleaned.report?.cookie_banner?.cmp ?? '').not.toContain('<');
    });

    it('navigates away on rejection', async () => {
      site.serve({ '/elsewhere': `<!doctype html><body style="background:${green}">` });
      const cleaned = await clean(banner(`location.href = '/elsewhere'`));
      expect(cleaned.report?.cookie_banner).not.toBeNull();
    });
  });
});
