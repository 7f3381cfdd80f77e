import type { AddressRules } from '@capture/egress/address-rules';
import { openCaptureProxy } from '@capture/egress/capture-proxy';
import type { CDPSession, Page } from 'puppeteer';
import { CapturePage } from './capture-page.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { setLanguage, usualPlace } from './emulate.ts';
import { watchErrors } from './watch-errors.ts';

/**
 * What one capture may fetch. The heaviest pages of the web load some 100 MB in a thousand requests; a page that goes on
 * for ever ends here.
 */
const budget = { requests: 10_000, bytes: 500 * 1024 * 1024 };

/**
 * Makes a page in a browser context of its own, behind a proxy of its own.
 *
 * @param release called when the page is closed, or could not be made.
 */
export async function makePage(
  chromium: ChromiumProcess,
  rules: AddressRules,
  release: () => void,
): Promise<CapturePage> {
  const undo: (() => unknown)[] = [release];
  try {
    const proxy = await openCaptureProxy(rules, { budget });
    undo.push(() => proxy.close());
    const context = await chromium.browser.createBrowserContext({
      proxyServer: proxy.url,
      proxyBypassList: ['<-loopback>'],
      downloadBehavior: { policy: 'deny' },
    });
    undo.push(() => context.close());
    // An empty list without an origin: every permission is refused to every page, and none asks.
    const denied = chromium.session.send('Browser.grantPermissions', {
      permissions: [],
      ...(context.id !== undefined && { browserContextId: context.id }),
    });
    // Where the browser ends meanwhile, the calls after this one tell of it before anybody has waited for this one.
    denied.catch(() => undefined);
    const page = await context.newPage();
    const session = await page.createCDPSession();
    const watching = watchErrors(session);
    await Promise.all([
      denied,
      session.send('Page.enable'),
      // A page is drawn as a client elsewhere would see it, whatever the time zone and language of this machine.
      session.send('Emulation.setTimezoneOverride', { timezoneId: usualPlace.timezone }),
      setLanguage(session, { userAgent: '', locale: usualPlace.locale }),
      // A worker's requests would not be seen, so a page could not be waited for; and none outlives a capture anyway.
      page.setBypassServiceWorker(true),
      silence(page),
      watching,
    ]);
    const errorScripts = await watching;
    return new CapturePage({ chromium, context, page, session, proxy, errorScripts, release });
  } catch (error) {
    for (const close of undo.reverse()) await Promise.resolve(close()).catch(() => undefined);
    throw error;
  }
}

/**
 * Puppeteer asks for every message and error of the page's scripts, and nobody here reads them: a page that writes to its
 * console without end would keep the browser so busy that it answers nobody. What we run in pages needs none of it.
 */
async function silence(page: Page): Promise<void> {
  const { _client: session } = page as Page & { _client?: () => CDPSession };
  if (!session) return;
  const domains = ['Runtime.disable', 'Log.disable', 'Performance.disable'] as const;
  await Promise.all(domains.map((method) => session.call(page).send(method)));
}
