import type { OpenCaptureProxy } from '@capture/egress/capture-proxy';
import type { Page } from 'puppeteer';
import type { ChromiumProcess } from '../browser/chromium-process.ts';
import { fetchBudget } from '../limits.ts';
import { defaultPlace, setLanguage } from '../load/emulate.ts';
import { CapturePage, puppeteerSession } from '../page/capture-page.ts';
import { watchErrors } from '../page/watch-errors.ts';

/**
 * Makes a page in a browser context of its own, behind a proxy of its own.
 *
 * @param release called when the page is closed, or could not be made.
 */
export async function makePage(
  chromium: ChromiumProcess,
  openProxy: OpenCaptureProxy,
  release: () => void,
): Promise<CapturePage> {
  const undo: (() => unknown)[] = [release];
  try {
    const proxy = await openProxy({ budget: fetchBudget });
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
    const [watched] = await Promise.all([
      watch(page),
      denied,
      // A worker's requests would not be seen, so a page could not be waited for; and none outlives a capture anyway.
      page.setBypassServiceWorker(true),
      silence(page),
    ]);
    return new CapturePage({ chromium, context, page, proxy, release, ...watched });
  } catch (error) {
    for (const close of undo.reverse()) await Promise.resolve(close()).catch(() => undefined);
    throw error;
  }
}

/** Opens the session of a capture with a page, which finds it as every capture does. */
export async function watch(page: Page): Promise<Pick<CapturePage, 'session' | 'errorScripts'>> {
  const session = await page.createCDPSession();
  const [errorScripts] = await Promise.all([
    watchErrors(session),
    session.send('Page.enable'),
    // A page is drawn as a client elsewhere would see it, whatever the time zone and language of this machine.
    session.send('Emulation.setTimezoneOverride', { timezoneId: defaultPlace.timezone }),
    setLanguage(session, { userAgent: '', locale: defaultPlace.locale }),
  ]);
  return { session, errorScripts };
}

/**
 * Puppeteer asks for every message and error of the page's scripts, and nobody here reads them: a page that writes to its
 * console without end would keep the browser so busy that it answers nobody. What we run in pages needs none of it.
 */
async function silence(page: Page): Promise<void> {
  const session = puppeteerSession(page);
  if (!session) return;
  const domains = ['Runtime.disable', 'Log.disable', 'Performance.disable'] as const;
  // Nor does anybody read what requests have brought, which the page's process would keep a second time for that.
  const keepNothing = session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
  await Promise.all([keepNothing, ...domains.map((method) => session.send(method))]);
}
