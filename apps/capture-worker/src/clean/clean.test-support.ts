import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAddressRules } from '@capture/egress/address-rules';
import { type OpenCaptureProxy, openCaptureProxy } from '@capture/egress/capture-proxy';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { makeTestFolder } from '@capture/testing/test-run';
import { afterAll, beforeAll } from '@jest/globals';
import { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { clearPage } from '../pool/clear-page.ts';
import { makePage } from '../pool/make-page.ts';
import { settle } from '../wait/settle.ts';
import { launchTestCell, type Pixels, quiet, readPixels } from '../worker.test-support.ts';
import { Cleaner, type CleanReport, type CleanRequest } from './clean.ts';

/** A page after cleaning, with the pixels of its viewport. */
export interface CleanedPage extends Pick<Pixels, 'at' | 'shows'> {
  report: CleanReport | null;
  changed: boolean;
  /** Duration of `act` in milliseconds. */
  actMs: number;
  /** Evaluates an expression in the page's main world. */
  evaluate(expression: string): Promise<unknown>;
}

export interface CleaningBrowser {
  /** Opens and cleans a URL and takes a screenshot; the page stays open until the next call. */
  clean(url: string, request: Partial<CleanRequest>, cleaner: Cleaner, limitMs?: number): Promise<CleanedPage>;
  close(): Promise<void>;
}

/** Starts a Chromium whose pages may reach the loopback interface. */
export async function openCleaningBrowser(): Promise<CleaningBrowser> {
  const cell = await launchTestCell();
  const rules = parseAddressRules({ allow: '127.0.0.0/8,::1/128' });
  const openProxy: OpenCaptureProxy = (budget) => openCaptureProxy(rules, budget);
  let page: CapturePage | undefined;
  /** Clears the page, as a worker does between captures of one account. A new page takes longer than most of these pages. */
  const nextPage = async (used: CapturePage | undefined) => {
    if (!used) return makePage(cell, openProxy);
    const cleared = await clearPage(used);
    await cleared.proxy.turn?.begin();
    return cleared;
  };
  return {
    async close() {
      await page?.close();
      await cell.close();
    },
    async clean(url, request, cleaner, limitMs = 20_000) {
      const used = page;
      page = undefined;
      page = await nextPage(used);
      return cleanPage(page, url, { block_ads: false, block_cookie_banners: false, ...request }, cleaner, limitMs);
    },
  };
}

/** Opens a browser and a page server before the tests of a block, and closes them after the tests. */
export function openCleaningForTests(): { browser: CleaningBrowser; site: PageServer } {
  const browser = {} as CleaningBrowser;
  const site = {} as PageServer;
  beforeAll(async () => {
    Object.assign(browser, await openCleaningBrowser());
    Object.assign(site, await openPageServer({}));
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  return { browser, site };
}

async function cleanPage(
  page: CapturePage,
  url: string,
  request: CleanRequest,
  cleaner: Cleaner,
  limitMs: number,
): Promise<CleanedPage> {
  const deadline = new Deadline(limitMs);
  const { session } = page;
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: 800,
    height: 600,
    deviceScaleFactor: 1,
    mobile: false,
  });
  const cleaning = await cleaner.prepare(page, request, deadline);
  await session.send('Page.navigate', { url });
  await settle(page, 'auto', deadline);
  const started = performance.now();
  const { changed } = await cleaning.act(deadline);
  const actMs = performance.now() - started;
  // A capture calls `act` again after scrolling.
  await cleaning.act(deadline);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  const { at, shows } = await readPixels({ bytes: Buffer.from(data, 'base64') });
  return {
    report: cleaning.report,
    changed,
    actMs,
    at,
    shows,
    async evaluate(expression) {
      const { result } = await session.send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      return result.value;
    },
  };
}

export interface ListFolder {
  folder: string;
  cacheDir: string;
  cleaner: Cleaner;
}

/** Creates a folder with these lists (`{ 'ads.txt': '||ads.example^' }`) and a cleaner that reads it. */
export async function makeLists(lists: Record<string, string>): Promise<ListFolder> {
  const folder = makeTestFolder('lists');
  for (const [name, text] of Object.entries(lists)) await writeFile(path.join(folder, name), text);
  const cacheDir = path.join(folder, 'cache');
  return { folder, cacheDir, cleaner: new Cleaner({ adListsDir: folder, log: quiet, cacheDir }) };
}
