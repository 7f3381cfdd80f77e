import { readFileSync } from 'node:fs';
import path from 'node:path';
import { noteOpen } from '@capture/testing/open-resources';
import { repositoryRoot, required } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import type { AxeResults } from 'axe-core';
import puppeteer, { type BrowserContext, type ElementHandle, type Page } from 'puppeteer';
import type { Credentials } from './api/session.ts';

/** The limit is long, because a loaded machine may be many times slower. */
const timeoutMs = 60_000;

/** The source is minified: a page reads it in half the time. */
const axeSource = readFileSync(path.join(repositoryRoot, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** A browser for the visitors of one test file. */
export interface VisitedBrowser {
  /** Returns a page in a new context, without data. */
  takePage(): Promise<Page>;
  /** Takes a page back for a later visitor. */
  leavePage(page: Page): Promise<void>;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<VisitedBrowser> {
  const browser = await puppeteer.launch({
    executablePath: required('TEST_CHROMIUM_PATH'),
    headless: 'shell',
    protocolTimeout: timeoutMs * 2,
    // Chromium's sandbox refuses root; the browser visits only the dashboard.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const closed = noteOpen('browser of the dashboard', () => browser.close());
  // A new page has a new process, which takes three times as long to draw the dashboard as a process that has drawn it before.
  const idle: Page[] = [];
  return {
    takePage: async () => idle.pop() ?? (await browser.createBrowserContext()).newPage(),
    async leavePage(page) {
      // A test changed the page's requests, or the page shows an error of the browser, whose data cannot be removed.
      const isSpoiled = page.listenerCount('request') > 0 || page.url().startsWith('chrome-error:');
      if (isSpoiled) return page.browserContext().close();
      page.removeAllListeners('pageerror').removeAllListeners('console');
      await removeData(page);
      idle.push(page);
    },
    async close() {
      closed();
      await browser.close();
    },
  };
}

export interface VisitOptions {
  /** Signs in with this API key first. */
  key?: string;
  /** Signs in with this operator key first. */
  operatorKey?: string;
  size?: 'desktop' | 'phone';
  scheme?: 'light' | 'dark';
}

const sizes = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true },
};

const preferScheme = (page: Page, scheme: 'light' | 'dark') =>
  page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);

/** Removes the data that the dashboard keeps in a browser, and leaves the dashboard. */
async function removeData(page: Page): Promise<void> {
  const { origin, protocol } = new URL(page.url());
  if (protocol === 'about:') return;
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('about:blank');
  const session = await page.createCDPSession();
  await session.send('Network.clearBrowserCookies');
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
}

/** Opens the dashboard as a user who finds buttons and fields by their names and reads visible text. */
export async function visit(browser: VisitedBrowser, url: string, options: VisitOptions = {}) {
  const { key, operatorKey, size = 'desktop', scheme = 'light' } = options;
  const page = await browser.takePage();
  page.setDefaultTimeout(timeoutMs);
  await page.setViewport(sizes[size]);
  await preferScheme(page, scheme);
  const faults = faultsOf(page);
  // Only visible text is read, not the full document.
  const readable = () => page.evaluate('document.body.innerText') as Promise<string>;
  const named = (name: string, role: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`);
  const visitor = {
    page,
    /** Script errors and CSP violations. */
    faults,
    async open(path: string, heading?: string) {
      await page.goto(`${url}/dashboard${path}`, { waitUntil: 'load' });
      await visitor.seeHeading(heading);
    },
    /**
     * Follows a link to another kind of page. This takes a quarter of the processor time of loading the page, and `axe` stays.
     */
    async follow(path: string) {
      await page.evaluate((target) => {
        for (const heading of document.querySelectorAll('h1')) heading.dataset.left = '';
        history.pushState(null, '', target);
        dispatchEvent(new PopStateEvent('popstate'));
      }, `/dashboard${path}`);
      await page.waitForSelector('h1:not([data-left])');
    },
    async seeHeading(heading?: string) {
      const selector = heading === undefined ? 'h1' : `h1 ::-p-text(${heading}), h1::-p-text(${heading})`;
      await page.waitForSelector(selector);
    },
    press: (name: string, role = 'button') => named(name, role).click(),
    /** Replaces the text of a field at once, as from the clipboard: the playground renders again after each key. */
    async fill(name: string, text: string, role = 'textbox') {
      const field = named(name, role).filter((element) => !(element as HTMLInputElement).disabled);
      const handle = (await field.waitHandle()) as ElementHandle<HTMLInputElement>;
      await handle.evaluate((input) => {
        input.focus();
        input.select();
      });
      await page.keyboard.sendCharacter(text);
      await handle.dispose();
    },
    /** Opens a select and picks an option. */
    async choose(name: string, choice: string) {
      await page.locator(`::-p-aria([name="${name}"][role="combobox"])`).click();
      await visitor.press(choice, 'option');
    },
    /** Enters text at once, as from the clipboard. */
    async paste(name: string, text: string) {
      await named(name, 'textbox').click();
      await page.keyboard.sendCharacter(text);
    },
    async leaveDialog() {
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('[role="dialog"]'));
    },
    /** Picks a segment by its label. */
    pick: (name: string) => page.locator(`label::-p-text(${name})`).click(),
    see: (text: string) => waitUntil(async () => (await readable()).includes(text), { what: text, timeoutMs }),
    seeNo: (text: string) =>
      waitUntil(async () => !(await readable()).includes(text), { what: `no ${text}`, timeoutMs }),
    text: readable,
    textOf: (selector: string) => page.$eval(selector, (element) => element.textContent ?? ''),
    path: () => page.evaluate(() => location.pathname.replace('/dashboard', '') + location.search),
    /** The axe violations of the current page, or of a part of it. */
    async accessibilityFaults(part = 'html'): Promise<string[]> {
      if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
      const found = (await page.evaluate(
        // Without `preload`, axe does not load all style sheets again for rules that the test does not use.
        `axe.run('${part}', { resultTypes: ["violations"], preload: false })`,
      )) as AxeResults;
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
      );
    },
    /** How much wider the page is than the window, pixels. */
    overflow: () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    /**
     * Returns the violations and the overflow of the current page on a desktop in light colours and on a narrow screen in dark
     * colours. The page is not loaded again, because that takes more processor time than the check.
     *
     * @param desktopPart of the page to check on a desktop: the frame of all pages is the same there.
     */
    async layoutFaults(desktopPart?: 'main'): Promise<string[]> {
      const found: string[] = [];
      for (const [{ width, height }, wanted, part] of [
        [sizes.phone, 'dark', undefined],
        [sizes.desktop, 'light', desktopPart],
      ] as const) {
        // Touch stays off, because changing it loads the page again.
        await page.setViewport({ width, height });
        await preferScheme(page, wanted);
        await page.waitForFunction(
          (pixels, name) => innerWidth === pixels && document.documentElement.dataset.mantineColorScheme === name,
          {},
          width,
          wanted,
        );
        // Some colours change slowly.
        await page.evaluate(() => {
          for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
        });
        const overflow = await visitor.overflow();
        const faults = await visitor.accessibilityFaults(part);
        if (overflow !== 0) faults.push(`${overflow} pixels too wide`);
        found.push(...faults.map((fault) => `${wanted}, ${width} pixels: ${fault}`));
      }
      return found;
    },
    async waitUntilLoaded() {
      await page.waitForFunction(() => !document.querySelector('[role="status"] .mantine-Loader-root'));
    },
    close: () => browser.leavePage(page),
  };
  if (key !== undefined) await signIn(page.browserContext(), url, { api_key: key });
  if (operatorKey !== undefined) await signIn(page.browserContext(), url, { operator_key: operatorKey });
  return visitor;
}

export type Visitor = Awaited<ReturnType<typeof visit>>;

function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // The page itself reports failed requests.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  return faults;
}

/** Stores the cookie of a session. Node sends the request: loading a page for it would take as long as most tests. */
async function signIn(context: BrowserContext, url: string, credentials: Credentials): Promise<void> {
  const response = await fetch(`${url}/api/auth/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' },
    body: JSON.stringify(credentials),
  });
  if (response.status !== 200) throw new Error(`signing in failed with ${response.status}`);
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '') ?? [];
  const { hostname: domain } = new URL(url);
  await context.setCookie({ name, value, domain, path: '/', httpOnly: true, sameSite: 'Strict' });
}
