import { noteOpen } from '@capture/testing/open-resources';
import { startPlatform } from '@capture/testing/processes/platform';
import { required } from '@capture/testing/test-run';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import axe, { type AxeResults } from 'axe-core';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { sections } from './site/navigation.ts';

let platform: Awaited<ReturnType<typeof startPlatform>>;
let browser: Browser;
let closed: () => void;
/** Script errors and violations of the policy. */
let faults: string[] = [];

beforeAll(async () => {
  const pages = { '/shop': '<!doctype html><title>The shop</title><h1>Shop</h1>' };
  platform = await startPlatform({ services: ['capture-worker'], pages });
  browser = await puppeteer.launch({
    executablePath: required('TEST_CHROMIUM_PATH'),
    headless: 'shell',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  closed = noteOpen('browser of the documentation', () => browser.close());
});

afterEach(() => {
  const found = faults;
  faults = [];
  expect(found).toEqual([]);
});

afterAll(async () => {
  closed();
  await browser.close();
  await platform.close();
});

const sizes = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true },
};

async function openPage(size: keyof typeof sizes, scheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport(sizes[size]);
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  return page;
}

async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
}

const kinds = ['', '/captures', '/reference/getScreenshot', '/nothing'];
const others = [
  ...sections.flatMap(({ guides }) => guides.map((name) => `/${name}`)),
  '/reference/submitBatch',
  '/reference/listProcesses',
  '/reference/events',
].filter((path) => !kinds.includes(path));

const variants = [
  { size: 'wide', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
  { size: 'wide', scheme: 'dark' },
  { size: 'phone', scheme: 'light' },
] as const;

describe.each(variants.map((variant, index) => ({ ...variant, index })))(
  'on a $size screen, $scheme',
  ({ size, scheme, index }) => {
    it('every kind of page is accessible, fits the screen and obeys its policy', async () => {
      const page = await openPage(size, scheme);
      // Pages of a kind differ in their text alone: each of the others is seen in one variant.
      const ownOthers = others.filter((_, at) => at % variants.length === index);
      for (const path of [...kinds, ...ownOthers]) {
        await page.goto(`${platform.url}/docs${path}`, { waitUntil: 'load' });
        await page.$$eval('main details', (all) => {
          for (const details of all) details.open = true;
        });
        expect({ path, faults: await accessibilityFaults(page) }).toEqual({ path, faults: [] });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect({ path, overflow }).toEqual({ path, overflow: 0 });
      }
    });

    it('the open search and menu are accessible', async () => {
      const page = await openPage(size, scheme);
      await page.goto(`${platform.url}/docs`, { waitUntil: 'load' });
      await page.click('[data-open-search]');
      await page.type('.search-dialog input', 'full_page');
      await page.waitForSelector('.results a');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.waitForSelector('.search-dialog', { hidden: true });
      if (size === 'wide') return;
      await page.click('.menu');
      await page.waitForSelector('.navigation:popover-open');
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  },
);

it('the search leads to an operation by the keyboard alone', async () => {
  const page = await openPage('wide', 'light');
  await page.goto(`${platform.url}/docs`, { waitUntil: 'load' });
  await page.keyboard.press('/');
  await page.type('.search-dialog input', 'rotate key');
  await page.waitForSelector('.results a[href="/docs/reference/rotateKey"]');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  expect(new URL(page.url()).pathname).toBe('/docs/reference/rotateKey');
});

it('keeps the language of samples and the colour scheme on the next page', async () => {
  const page = await openPage('wide', 'light');
  await page.goto(`${platform.url}/docs/reference/takePdf`, { waitUntil: 'load' });
  await page.click('[data-language="ruby"]');
  await page.click('[data-color-scheme]');
  await page.goto(`${platform.url}/docs/reference/takeScreenshot`, { waitUntil: 'load' });
  expect(await page.$eval('[data-sample="ruby"]', (sample) => (sample as HTMLElement).hidden)).toBe(false);
  expect(await page.$eval('[data-sample="curl"]', (sample) => (sample as HTMLElement).hidden)).toBe(true);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
});

describe('the form', () => {
  async function signedIn(): Promise<Page> {
    const key = await platform.register();
    const page = await openPage('wide', 'light');
    await page.goto(`${platform.url}/docs`);
    const status = await page.evaluate(async (api_key) => {
      const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' };
      return (await fetch('/api/auth/session', { method: 'POST', headers, body: JSON.stringify({ api_key }) })).status;
    }, key);
    expect(status).toBe(200);
    return page;
  }

  it('sends the request with the session and shows the image', async () => {
    const page = await signedIn();
    await page.goto(`${platform.url}/docs/reference/getScreenshot`, { waitUntil: 'load' });
    await page.$eval(
      'input[name="url"]',
      (input, value) => {
        (input as HTMLInputElement).value = value;
      },
      platform.pages.url('/shop'),
    );
    await page.click('form[data-try] > button');
    await page.waitForSelector('.result img');
    expect(await page.$eval('.result', (result) => result.textContent)).toMatch(/^200 OK.*Download/);
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.result img')?.naturalWidth === 1280);
  });

  it('shows JSON, also of an error', async () => {
    const page = await signedIn();
    await page.goto(`${platform.url}/docs/reference/takePdf`, { waitUntil: 'load' });
    await page.$eval('textarea', (input) => {
      input.value = '{"url":"https://example.com/","paper":"A9"}';
    });
    await page.click('form[data-try] > button');
    await page.waitForSelector('.result pre');
    expect(await page.$eval('.result', (result) => result.textContent)).toMatch(/^400 Bad Request.*INVALID_REQUEST/s);
  });

  it('leads a reader without a session to the sign-in', async () => {
    const page = await openPage('phone', 'light');
    await page.goto(`${platform.url}/docs/reference/getAccount`, { waitUntil: 'load' });
    await page.click('form[data-try] > button');
    await page.waitForSelector('.result a[href="/dashboard/sign-in"]');
  });
});
