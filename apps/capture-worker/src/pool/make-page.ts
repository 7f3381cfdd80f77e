import type { OpenCaptureProxy } from '@capture/egress/capture-proxy';
import type { Page } from 'puppeteer';
import type { UserAgent } from '../browser/user-agent.ts';
import { CaptureFailure } from '../capture-failure.ts';
import type { Cell } from '../cells/cell.ts';
import { fetchBudget } from '../limits.ts';
import { defaultLocale, setLanguage } from '../load/emulation.ts';
import { CapturePage, type OnFlood, puppeteerSession } from '../page/capture-page.ts';
import { trackWork, watchErrors } from '../page/watch-page.ts';

/** Makes a page in its own browser context, behind its own proxy. */
export async function makePage(cell: Cell, openProxy: OpenCaptureProxy): Promise<CapturePage> {
  const { chromium } = cell;
  const release = cell.use();
  const undo: (() => unknown)[] = [release];
  const onFlood: OnFlood = { call: null };
  try {
    const proxy = await openProxy({ budget: fetchBudget });
    undo.push(() => proxy.close());
    const context = await chromium.browser.createBrowserContext({
      proxyServer: proxy.url,
      proxyBypassList: ['<-loopback>'],
      downloadBehavior: { policy: 'deny' },
    });
    undo.push(() => context.close());
    const contextId = context.id ?? '';
    let page: Page | undefined;
    chromium.meter.watch(contextId, () => {
      // Closing the context also ends frames and workers.
      void Promise.allSettled([context.close(), proxy.close()]);
      onFlood.call?.();
      page?.emit('error', new CaptureFailure('RENDERING_FAILED', 'The page floods the browser with messages.'));
    });
    const forget = () => chromium.meter.forget(contextId);
    undo.push(forget);
    // An empty list without an origin denies every permission to every page, without a prompt.
    const denied = chromium.session.send('Browser.grantPermissions', {
      permissions: [],
      ...(context.id !== undefined && { browserContextId: context.id }),
    });
    // If the browser ends, the calls below reject before this promise is awaited.
    denied.catch(() => undefined);
    page = await context.newPage();
    // Removes Puppeteer's listener for `waitForNetworkIdle`, which compares each event with each request in flight: 6,000
    // requests at once kept the worker busy for 6 s.
    page.removeAllListeners('request');
    const [session, workEvent] = await Promise.all([
      openSession(page, chromium.userAgent),
      trackWork(page),
      denied,
      // The worker does not see the requests of a service worker, so could not wait for them. None outlives a capture anyway.
      page.setBypassServiceWorker(true),
      disableUnusedEvents(page),
    ]);
    return new CapturePage({ cell, context, page, proxy, release, forget, onFlood, workEvent, ...session });
  } catch (error) {
    for (const close of undo.reverse()) await Promise.resolve(close()).catch(() => undefined);
    throw error;
  }
}

/** Opens a capture's session with a page, with the default emulation. */
export async function openSession(
  page: Page,
  userAgent: UserAgent,
): Promise<Pick<CapturePage, 'session' | 'errorScripts'>> {
  const session = await page.createCDPSession();
  const [errorScripts] = await Promise.all([
    watchErrors(session),
    session.send('Page.enable'),
    // Counts CPU time; see `usedCpuMs`.
    session.send('Performance.enable'),
    // The same time zone and language on every machine.
    session.send('Emulation.setTimezoneOverride', { timezoneId: defaultLocale.timezone }),
    page.setUserAgent(userAgent),
    setLanguage(session, { locale: defaultLocale.locale }),
  ]);
  return { session, errorScripts };
}

/**
 * Turns off events that Puppeteer subscribes to and the worker does not use. A page that writes to its console without end would
 * keep the browser too busy to respond. Scripts that the worker runs in pages do not need these events.
 */
async function disableUnusedEvents(page: Page): Promise<void> {
  const session = puppeteerSession(page);
  if (!session) return;
  const domains = ['Runtime.disable', 'Log.disable', 'Performance.disable'] as const;
  // The worker does not read bodies; the page's process would keep a second copy of responses, and report request bodies.
  const sizes = { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 1 };
  const keepNoBodies = session.send('Network.enable', sizes);
  await Promise.all([keepNoBodies, ...domains.map((method) => session.send(method))]);
}
