import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { CaptureType } from '@capture/contract/events/events';
import { type ContractForm, contractForm } from '@capture/contract/forms/forms';
import { captureKinds } from '@capture/contract/options/capture-options';
import type { ScreenshotRequestInput } from '@capture/contract/options/screenshot-options';
import { parseAddressRules } from '@capture/egress/address-rules';
import { type CaptureProxyOptions, type OpenCaptureProxy, openCaptureProxy } from '@capture/egress/capture-proxy';
import { browserAccount } from '@capture/provisioning/chromium';
import { openPageServer, type Page, type PageServer } from '@capture/testing/network/page-server';
import { noteOpen } from '@capture/testing/open-resources';
import { makeRunFolder, required } from '@capture/testing/test-run';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import type { Target } from 'puppeteer';
import sharp from 'sharp';
import type { CaptureEgress } from './browser/capture-egress.ts';
import type { SiteIsolation } from './browser/chromium-flags.ts';
import { type ChromiumOptions, type ChromiumProcess, launchChromium } from './browser/chromium-process.ts';
import { ordinaryUserAgent, type UserAgent } from './browser/user-agent.ts';
import type { CaptureAttempt } from './capture/capture.ts';
import type { CaptureReport } from './capture/capture-report.ts';
import { startVisits } from './capture/visits.ts';
import { CaptureFailure } from './capture-failure.ts';
import { Cell } from './cells/cell.ts';
import { Cells, type CellsOptions } from './cells/cells.ts';
import { Cleaner } from './clean/clean.ts';
import { memoryLimits } from './limits.ts';
import { visitsOf } from './outputs/visits.ts';
import { AccountPages } from './pool/account-pages.ts';
import { ContextPool } from './pool/context-pool.ts';
import { isolationOf, type SharedLevel, siteIsolationOf } from './pool/isolation.ts';
import { WarmPages, type WarmPagesOptions } from './pool/warm-pages.ts';
import type { PngEncoder, RenderedFile } from './render/renderer.ts';
import { createRenderers } from './render/renderers.ts';

/** Milliseconds: on a machine under load a test's next capture may come late. */
const warmIdleMs = 120_000;
const patiently = { timeout_ms: 100_000 };

/** Enough pixels for a colour or a title. */
export const small = { width: 200, height: 150 };

export const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function chromiumOptions(): ChromiumOptions {
  const executablePath = required('TEST_CHROMIUM_PATH');
  return {
    executablePath,
    shell: /headless[-_]shell/.test(executablePath),
    sandbox: true,
    account: browserAccount(),
    userAgent: ordinaryUserAgent(required('TEST_CHROMIUM_VERSION')),
  };
}

/** Starts Chromium. A test that leaves it open fails. */
export async function launchTestChromium(kind: Partial<ChromiumOptions> = {}): Promise<ChromiumProcess> {
  const chromium = await launchChromium({ ...chromiumOptions(), ...kind });
  const closed = noteOpen(`Chromium ${chromium.pid}`, () => chromium.close());
  void chromium.ended.then(closed);
  return chromium;
}

/** Starts a cell for all accounts. A test that leaves it open fails. */
export async function launchTestCell(): Promise<Cell> {
  const kind = { siteIsolation: 'on', accountId: null, priority: 'ordinary' } as const;
  return new Cell(await launchTestChromium(kind), kind, {
    log: quiet,
    memory: () => memoryLimits(),
    failed: () => undefined,
  });
}

export interface TestWorker {
  cells: Cells;
  /** The pool of the main kind of cell. */
  pool: ContextPool;
  pools: Record<SiteIsolation, ContextPool>;
  warmPages: WarmPages;
  accountPages: AccountPages;
  /** Runs a capture of an account, which may use a warm page. Rejects with the failure. */
  captureFor(
    accountId: string,
    options: Record<string, unknown>,
    type?: CaptureType,
  ): Promise<{ file: RenderedFile; report: CaptureReport }>;
  /** Runs a capture of any type, with a client's options. Rejects with the failure. */
  render(
    type: CaptureType,
    options: Record<string, unknown>,
    form?: ContractForm,
  ): Promise<{ file: RenderedFile; report: CaptureReport }>;
  /** Runs a capture that should fail, and returns the failure and the report. */
  failRender(
    type: CaptureType,
    options: Record<string, unknown>,
    form?: ContractForm,
  ): Promise<{ code: string; message: string; report: CaptureReport }>;
  /** Takes a screenshot. Rejects with the failure, without the report. */
  capture(
    url: string,
    options?: Omit<ScreenshotRequestInput, 'url'>,
    form?: ContractForm,
  ): Promise<{ image: RenderedFile; report: CaptureReport }>;
  /** Takes a screenshot that should fail, and returns the failure. */
  fail(
    url: string,
    options?: Omit<ScreenshotRequestInput, 'url'>,
    form?: ContractForm,
  ): Promise<{ code: string; message: string }>;
  close(): Promise<void>;
}

/** The rendering part of a worker: a browser, its pool, and captures without queue and database. */
export async function openTestWorker(options: {
  /** `EGRESS_ALLOW`. */
  allow: string;
  size?: number;
  /** Replaces the user agent of an ordinary Chrome. */
  userAgent?: UserAgent;
  /** `PNG_ENCODER`. */
  pngEncoder?: PngEncoder;
  cells?: Partial<CellsOptions>;
  warmPages?: Partial<WarmPagesOptions>;
  /** The viewport of screenshots that set none. Drawing and reading 1280 × 720 takes a fifth of a capture's processor time. */
  viewport?: { width: number; height: number };
  /** The account of the captures. They use warm pages, as in a worker: starting a renderer takes longer than most pages. */
  account?: string;
  /** The level `ISOLATION` of captures with nothing personal; `account` unless given. */
  isolation?: SharedLevel;
  /** Replaces the system's resolver. */
  resolve?: CaptureProxyOptions['resolve'];
  /** Replaces the proxies in this process. */
  captureEgress?: Pick<CaptureEgress, 'openProxy' | 'proxyHost'>;
}): Promise<TestWorker> {
  const { allow, size = 1, pngEncoder = 'quick', resolve, userAgent, account, viewport } = options;
  const { isolation: sharedLevel = 'account' } = options;
  const rules = parseAddressRules({ allow });
  const openHere: OpenCaptureProxy = (budget) => openCaptureProxy(rules, { ...budget, ...(resolve && { resolve }) });
  const { openProxy, proxyHost } = options.captureEgress ?? { openProxy: openHere, proxyHost: null };
  // A test that leaves a worker open fails because of the worker, not of each browser.
  const launch: CellsOptions['launch'] = (kind) =>
    launchChromium({
      ...chromiumOptions(),
      ...kind,
      ...(userAgent && { userAgent }),
      ...(proxyHost && { proxyHost }),
    });
  const cells = await Cells.start({
    launch,
    log: quiet,
    siteIsolation: siteIsolationOf(sharedLevel),
    ...options.cells,
  });
  const openPool = (siteIsolation: SiteIsolation) =>
    new ContextPool({ cells, siteIsolation, openProxy, size, log: quiet });
  const pools = { on: openPool('on'), off: openPool('off') };
  const pool = pools[cells.mainKind];
  const cleaner = new Cleaner({ adListsDir: undefined, log: quiet });
  const warmPages = new WarmPages({ cells, size, idleMs: warmIdleMs, ...options.warmPages });
  const accountPages = new AccountPages({ cells, pools, warmPages, sharedLevel, log: quiet });
  const start = (type: CaptureType, options: Record<string, unknown>, form: ContractForm, accountId = account) => {
    const drawn = type === 'screenshot' && options.device === undefined ? viewport : undefined;
    const request = captureKinds[type].request.parse({ ...patiently, ...drawn, ...options });
    const unused = pools[siteIsolationOf(isolationOf(request, sharedLevel))];
    const source = accountId === undefined ? unused : accountPages.of(accountId, request, false);
    const terms = { cells, pool: source, cleaner, rules, form };
    return startVisits(terms, visitsOf(createRenderers(pngEncoder), type, request));
  };
  const finish = async ({ ended, tidyUp }: CaptureAttempt) => {
    const { result, report } = await ended;
    await tidyUp();
    if ('error' in result) throw result.error;
    return { file: result.file, report };
  };
  const worker: TestWorker = {
    cells,
    pool,
    pools,
    warmPages,
    accountPages,
    async captureFor(accountId, options, type = 'screenshot') {
      return finish(start(type, options, contractForm('B'), accountId));
    },
    async render(type, options, form = contractForm('B')) {
      return finish(start(type, options, form));
    },
    async failRender(type, options, form = contractForm('B')) {
      const { ended, tidyUp } = start(type, options, form);
      const { result, report } = await ended;
      await tidyUp();
      if ('file' in result) throw new Error(`${options.url} was captured, but should have failed`);
      if (!(result.error instanceof CaptureFailure)) throw result.error;
      return { code: result.error.code, message: result.error.message, report };
    },
    async capture(url, options = {}, form) {
      const { file, report } = await worker.render('screenshot', { url, ...options }, form);
      return { image: file, report };
    },
    async fail(url, options, form) {
      const { code, message } = await worker.failRender('screenshot', { url, ...options }, form);
      return { code, message };
    },
    async close() {
      closed();
      await warmPages.close();
      await Promise.all([pools.on.close(), pools.off.close()]);
      await cells.close();
    },
  };
  const closed = noteOpen('test worker', () => worker.close());
  return worker;
}

/**
 * Opens a page server, and a worker that may reach only that server, before the tests of a block, and closes both after the
 * tests. Both are empty until then.
 */
export function openForTests(
  pages: Record<string, Page> | (() => Promise<Record<string, Page>>) = {},
  options: Omit<Parameters<typeof openTestWorker>[0], 'allow'> = {},
): { server: PageServer; worker: TestWorker } {
  const server = {} as PageServer;
  const worker = {} as TestWorker;
  beforeAll(async () => {
    Object.assign(server, await openPageServer(typeof pages === 'function' ? await pages() : pages));
    Object.assign(worker, await openTestWorker({ allow: `127.0.0.1/32:${server.port}`, ...options }));
  });
  afterAll(async () => {
    await worker.close();
    await server.close();
  });
  return { server, worker };
}

/** A page server on this machine that captures must not reach: a request to it fails the block of tests. */
export function openSecretForTests(pages: Record<string, Page> = {}): PageServer {
  const secret = {} as PageServer;
  beforeAll(async () => {
    Object.assign(secret, await openPageServer(pages));
  });
  afterAll(async () => {
    await secret.close();
    expect(secret.hits()).toBe(0);
  });
  return secret;
}

/** How many unused pages some work takes. */
export async function unusedPages({ pools }: Pick<TestWorker, 'pools'>, work: () => Promise<unknown>): Promise<number> {
  const takes = [pools.on, pools.off].map((pool) => jest.spyOn(pool, 'take'));
  await work();
  const taken = takes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const take of takes) take.mockRestore();
  return taken;
}

/** Crashes the renderers of all pages. */
export async function crashPages(worker: TestWorker): Promise<void> {
  const { browser } = (await worker.cells.current()).chromium;
  const isOfPage = (target: Target) =>
    target.type() === 'page' && target.browserContext() !== browser.defaultBrowserContext();
  const sessions = await Promise.all(
    browser
      .targets()
      .filter(isOfPage)
      .map((target) => target.createCDPSession()),
  );
  // All pages crash at once: a page that crashed later could be the page of the second try.
  for (const session of sessions) session.send('Page.crash').catch(() => undefined);
}

export interface Pixels {
  width: number;
  height: number;
  /** `#rrggbb` */
  at(x: number, y: number): string;
  /** Whether any pixel has this colour; every fourth pixel is read. */
  shows(colour: string): boolean;
}

export async function readPixels({ bytes }: Pick<RenderedFile, 'bytes'>): Promise<Pixels> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const read = (x: number, y: number) => data.readUIntBE((y * width + x) * 3, 3);
  return {
    width,
    height,
    at: (x, y) => `#${read(x, y).toString(16).padStart(6, '0')}`,
    shows(colour) {
      const wanted = Number.parseInt(colour.slice(1), 16);
      for (let y = 0; y < height; y += 4) for (let x = 0; x < width; x += 4) if (read(x, y) === wanted) return true;
      return false;
    },
  };
}

/**
 * A folder for the folders of browsers where no other test leaves or removes any. Unlike the folder of a test run, the browser's
 * account may enter this folder.
 */
export function openBrowserFolder(): { path: string; close(): void } {
  const path = makeRunFolder();
  chmodSync(path, 0o755);
  const close = () => {
    closed();
    rmSync(path, { recursive: true, force: true });
  };
  const closed = noteOpen(`place for browsers ${path}`, close);
  return { path, close };
}

/** The folders of this process's browsers, in the shared folder or in a given one. */
export function browserFolders(pid = process.pid, place = tmpdir()): string[] {
  return readdirSync(place).filter((name) => name.startsWith(`capture-browser-${pid}-`));
}
