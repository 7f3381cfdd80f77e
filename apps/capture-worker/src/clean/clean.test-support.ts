import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAddressRules } from '@capture/egress/address-rules';
import { openCaptureProxy } from '@capture/egress/capture-proxy';
import { browserAccount } from '@capture/provisioning/chromium';
import { noteOpen } from '@capture/testing/open-resources';
import { required } from '@capture/testing/test-run';
import sharp from 'sharp';
import { type ChromiumProcess, launchChromium } from '../browser/chromium-process.ts';
import { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { settle } from '../page/settle.ts';
import { makePage } from '../pool/make-page.ts';
import { Cleaner, type CleanReport, type CleanRequest } from './clean.ts';

export const quiet = { info: () => undefined, warn: () => undefined };

/** A page after cleaning. */
export interface CleanedPage {
  report: CleanReport | null;
  changed: boolean;
  /** Duration of `act` in milliseconds. */
  actMs: number;
  /** A pixel of the 800 × 600 viewport, `#rrggbb`. */
  at(x: number, y: number): string;
  /** Evaluates an expression in the page's main world. */
  evaluate(expression: string): Promise<unknown>;
}

export interface CleaningBrowser {
  chromium: ChromiumProcess;
  /** Opens and cleans a URL and takes a screenshot; the page stays open until the next call. */
  clean(url: string, request: Partial<CleanRequest>, cleaner: Cleaner, limitMs?: number): Promise<CleanedPage>;
  close(): Promise<void>;
}

/** Starts a Chromium whose pages may reach the loopback interface. */
export async function openCleaningBrowser(): Promise<CleaningBrowser> {
  const executablePath = required('TEST_CHROMIUM_PATH');
  const shell = /headless[-_]shell/.test(executablePath);
  const chromium = await launchChromium({ executablePath, shell, sandbox: true, account: browserAccount() });
  const rules = parseAddressRules({ allow: '127.0.0.0/8,::1/128' });
  let page: CapturePage | undefined;
  const close = async () => {
    closed();
    await page?.close();
    await chromium.close();
  };
  const closed = noteOpen(`Chromium ${chromium.pid}`, close);
  return {
    chromium,
    close,
    async clean(url, request, cleaner, limitMs = 20_000) {
      await page?.close();
      page = await makePage(
        chromium,
        (budget) => openCaptureProxy(rules, budget),
        () => undefined,
      );
      return cleanPage(page, url, { block_ads: false, block_cookie_banners: false, ...request }, cleaner, limitMs);
    },
  };
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
  // As a capture does after scrolling.
  await cleaning.act(deadline);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
  const pixels = await sharp(Buffer.from(data, 'base64')).removeAlpha().raw().toBuffer();
  return {
    report: cleaning.report,
    changed,
    actMs,
    at: (x, y) => `#${pixels.subarray((y * 800 + x) * 3, (y * 800 + x) * 3 + 3).toString('hex')}`,
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
  remove(): Promise<void>;
}

/** Creates a folder with these lists (`{ 'ads.txt': '||ads.example^' }`) and a cleaner that reads it. */
export async function makeLists(lists: Record<string, string>): Promise<ListFolder> {
  const root = await mkdtemp(path.join(tmpdir(), 'capture-lists-'));
  for (const [name, text] of Object.entries(lists)) await writeFile(path.join(root, name), text);
  const cacheDir = path.join(root, 'cache');
  return {
    folder: root,
    cacheDir,
    cleaner: new Cleaner({ adListsDir: root, log: quiet, cacheDir }),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
