import { readFileSync } from 'node:fs';
import path from 'node:path';
import { noteOpen } from '@capture/testing/open-resources';
import { startPlatform } from '@capture/testing/processes/platform';
import { repositoryRoot, required } from '@capture/testing/test-run';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults, RunOptions, SerialContextObject } from 'axe-core';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { sections } from './site/navigation.ts';

let platform: Awaited<ReturnType<typeof startPlatform>>;
let browser: Browser;
let closed: () => void;
/** Script errors and violations of the policy. */
let faults: string[] = [];

beforeAll(async () => {
  platform = await startPlatform();
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

const preferScheme = (page: Page, scheme: 'light' | 'dark') =>
  page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);

async function openPage(size: keyof typeof sizes, scheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport(sizes[size]);
  await preferScheme(page, scheme);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  return page;
}

/** The source is minified: a page reads it in half the time. */
const axeSource = readFileSync(path.join(repositoryRoot, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

const contrast = 'color-contrast';

/** @param part of the page to check. */
async function accessibilityFaults(
  page: Page,
  rules: RunOptions = {},
  part: string | SerialContextObject = 'html',
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  // Without `preload`, axe does not load all style sheets again for rules that the test does not use.
  const options: RunOptions = { resultTypes: ['violations'], preload: false, ...rules };
  const found = await page.evaluate(`axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)})`);
  return (found as AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
}

/** One page of each kind, and further pages that together have all colours of code. */
const kinds = ['', '/captures', '/links', '/reference/getScreenshot', '/reference/submitBatch', '/nothing'];
const others = [
  ...sections.flatMap(({ guides }) => guides.map((name) => `/${name}`)),
  '/reference/listProcesses',
  '/reference/events',
].filter((path) => !kinds.includes(path));

/** The test loads and checks many pages, which is slow on a loaded machine. */
const timeoutMs = 400_000;

it.each([
  { size: 'wide', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
] as const)(
  'every page is accessible, fits the screen and obeys its policy ($size, $scheme)',
  async (variant) => {
    const { size, scheme } = variant;
    const page = await openPage(size, scheme);
    async function expectNoFaults(path: string, rules?: RunOptions, part?: string): Promise<void> {
      await page.goto(`${platform.url}/docs${path}`, { waitUntil: 'load' });
      await page.$$eval('main details', (all) => {
        for (const details of all) details.open = true;
      });
      const faults = await accessibilityFaults(page, rules, part);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect({ path, faults, overflow }).toEqual({ path, faults: [], overflow: 0 });
    }

    for (const path of kinds) {
      await expectNoFaults(path);
      // A wide screen shows more around its main part than a narrow one. The other scheme differs only in colours.
      if (size === 'phone') continue;
      await preferScheme(page, 'dark');
      const dark = await accessibilityFaults(page, { runOnly: contrast }, { include: 'html', exclude: 'main' });
      expect({ path, dark }).toEqual({ path, dark: [] });
      await preferScheme(page, scheme);
    }
    // Pages of a kind differ only in the text of their main part, and not in their style, so each remaining page is checked once.
    const rules = Object.fromEntries(
      [contrast, 'target-size', 'link-in-text-block'].map((id) => [id, { enabled: false }]),
    );
    const ownOthers = others.filter((_, at) => at % 2 === (size === 'wide' ? 0 : 1));
    for (const path of ownOthers) await expectNoFaults(path, { rules }, 'main');
  },
  timeoutMs,
);

it.each(['wide', 'phone'] as const)('the open search and menu are accessible (%s)', async (size) => {
  const page = await openPage(size, 'light');
  const faultsInBothSchemes = async () => {
    const light = await accessibilityFaults(page);
    await preferScheme(page, 'dark');
    const dark = await accessibilityFaults(page, { runOnly: contrast });
    await preferScheme(page, 'light');
    return { light, dark };
  };
  await page.goto(`${platform.url}/docs`, { waitUntil: 'load' });
  await page.click('[data-open-search]');
  await page.type('.search-dialog input', 'full_page');
  await page.waitForSelector('.results a');
  expect(await faultsInBothSchemes()).toEqual({ light: [], dark: [] });
  await page.keyboard.press('Escape');
  await page.waitForSelector('.search-dialog', { hidden: true });
  if (size === 'wide') return;
  await page.click('.menu');
  await page.waitForSelector('.navigation:popover-open');
  expect(await faultsInBothSchemes()).toEqual({ light: [], dark: [] });
});

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
  // The dashboard's tests show that the form sends the session, and shows an image.
  it('shows JSON, even of an error', async () => {
    const page = await openPage('wide', 'light');
    await page.goto(`${platform.url}/docs/reference/takePdf`, { waitUntil: 'load' });
    const status = await page.evaluate(
      async (api_key) => {
        const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' };
        return (await fetch('/api/auth/session', { method: 'POST', headers, body: JSON.stringify({ api_key }) }))
          .status;
      },
      await platform.register(),
    );
    expect(status).toBe(200);
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
