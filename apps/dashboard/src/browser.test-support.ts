import { noteOpen } from '@capture/testing/open-resources';
import { required } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import axe, { type AxeResults } from 'axe-core';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import type { Credentials } from './api/session.ts';

/** A loaded machine may be many times slower than a quiet one. */
const patienceMs = 30_000;

/** A browser for the visitors of one test file. */
export async function openBrowser(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const browser = await puppeteer.launch({
    executablePath: required('TEST_CHROMIUM_PATH'),
    headless: 'shell',
    protocolTimeout: patienceMs * 2,
    // Chromium's sandbox refuses root; what is visited here is our own page.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const closed = noteOpen('browser of the dashboard', () => browser.close());
  return {
    browser,
    async close() {
      closed();
      await browser.close();
    },
  };
}

export interface VisitOptions {
  /** Signed in with this key before the first page. */
  key?: string;
  /** The same as who runs the service. */
  operatorKey?: string;
  size?: 'desktop' | 'phone';
  scheme?: 'light' | 'dark';
}

const sizes = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true },
};

/** Somebody who uses the dashboard by what it says: names of buttons and fields, and text that can be read. */
export async function visit(browser: Browser, url: string, options: VisitOptions = {}) {
  const { key, operatorKey, size = 'desktop', scheme = 'light' } = options;
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.setViewport(sizes[size]);
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  const faults = faultsOf(page);
  // What can be seen and read, not all that is in the document.
  const readable = () => page.evaluate('document.body.innerText') as Promise<string>;
  const named = (name: string, role: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`);
  const visitor = {
    page,
    /** What the browser complained of: errors of scripts, and whatever the policy did not allow. */
    faults,
    async open(path: string, heading?: string) {
      await page.goto(`${url}/dashboard${path}`, { waitUntil: 'load' });
      await visitor.seeHeading(heading);
    },
    async seeHeading(heading?: string) {
      const selector = heading === undefined ? 'h1' : `h1 ::-p-text(${heading}), h1::-p-text(${heading})`;
      await page.waitForSelector(selector);
    },
    press: (name: string, role = 'button') => named(name, role).click(),
    fill: (name: string, text: string, role = 'textbox') => named(name, role).fill(text),
    /** Opens a list of choices and takes one. */
    async choose(name: string, choice: string) {
      await page.locator(`::-p-aria([name="${name}"][role="combobox"])`).click();
      await visitor.press(choice, 'option');
    },
    /** All at once, as from the clipboard. */
    async paste(name: string, text: string) {
      await named(name, 'textbox').click();
      await page.keyboard.sendCharacter(text);
    },
    async leaveDialog() {
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('[role="dialog"]'));
    },
    /** One of a few segments, of which only the labels can be seen. */
    pick: (name: string) => page.locator(`label::-p-text(${name})`).click(),
    see: (text: string) =>
      waitUntil(async () => (await readable()).includes(text), { what: text, timeoutMs: patienceMs }),
    seeNo: (text: string) =>
      waitUntil(async () => !(await readable()).includes(text), { what: `no ${text}`, timeoutMs: patienceMs }),
    text: readable,
    textOf: (selector: string) => page.$eval(selector, (element) => element.textContent ?? ''),
    place: () => page.evaluate(() => location.pathname.replace('/dashboard', '') + location.search),
    /** The serious and critical findings of axe on the page as it is. */
    async barriers(): Promise<string[]> {
      await page.evaluate(axe.source);
      const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
      return found.violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`));
    },
    /** How much wider than the window the page is, pixels. */
    overflow: () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    async waitUntilLoaded() {
      await page.waitForFunction(() => !document.querySelector('[role="status"] .mantine-Loader-root'));
    },
    close: () => context.close(),
  };
  if (key !== undefined) await signIn(page, url, { api_key: key });
  if (operatorKey !== undefined) await signIn(page, url, { operator_key: operatorKey });
  return visitor;
}

export type Visitor = Awaited<ReturnType<typeof visit>>;

function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // That a request was answered with an error is the page's business to tell.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  return faults;
}

async function signIn(page: Page, url: string, credentials: Credentials): Promise<void> {
  await page.goto(`${url}/dashboard/sign-in`);
  const status = await page.evaluate(async (given) => {
    const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' };
    const body = JSON.stringify(given);
    return (await fetch('/api/auth/session', { method: 'POST', headers, body })).status;
  }, credentials);
  if (status !== 200) throw new Error(`signing in was answered with ${status}`);
}
