import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { allCaptureKinds } from '@capture/contract/options/capture-options';
import { findOrInstallProgram } from '@capture/testing/find-program';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Visitor } from './browser.test-support.ts';
import { givenDashboard } from './given-dashboard.test-support.ts';

const dashboard = givenDashboard({ services: ['capture-worker'] });
let key: string;
let visitor: Visitor;

beforeEach(async () => {
  key = await dashboard.platform.register();
});

const come = async () => {
  visitor = await dashboard.come({ key });
};

const png = '89504e47';

/** The picture in the page, once it is drawn. */
const seeImage = () =>
  visitor.page.waitForFunction(() => {
    const picture = document.querySelector<HTMLImageElement>('img[alt^="Capture of"]');
    return picture?.complete && picture.naturalWidth > 0 && [picture.naturalWidth, picture.naturalHeight];
  });

describe('the playground', () => {
  it.each(allCaptureKinds)('has a control for every option of $name', async ({ type, request }) => {
    await come();
    await visitor.open(`/playground#type=${type}`, 'Playground');
    await visitor.page.waitForSelector('[data-option]');
    const shown = await visitor.page.$$eval('[data-option]', (fields) =>
      fields.map((field) => [
        (field as HTMLElement).dataset.option,
        field.querySelector('input, textarea, button') !== null,
      ]),
    );
    const options = Object.keys(request.in.shape).filter((name) => name !== 'url' && name !== 'html');
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(options.map((name) => [name, true])));
  });

  it('captures with the options that are set, shows the receipt, and gives the same request as code', async () => {
    await come();
    await visitor.open('/playground', 'Playground');
    await visitor.fill('Address', dashboard.platform.shop);
    await visitor.fill('Find an option', 'viewport', 'searchbox');
    await visitor.fill('width · CSS pixels', '640');
    await visitor.fill('height · CSS pixels', '480');
    await visitor.fill('Find an option', 'hide_selectors', 'searchbox');
    await visitor.page.locator('[data-option="hide_selectors"] input:not([type="hidden"])').fill('h1, h2');
    await visitor.page.keyboard.press('Enter');
    await visitor.press('Capture');
    expect(await (await seeImage()).jsonValue()).toEqual([640, 480]);
    for (const text of ['The shop', 'Until ready', 'Requests that did not come (1)']) await visitor.see(text);
    const { captures } = await dashboard.platform.call(key, 'GET', '/api/v1/captures?limit=1');
    expect(captures[0].options).toEqual({
      url: dashboard.platform.shop,
      width: 640,
      height: 480,
      hide_selectors: ['h1, h2'],
      response_type: 'json',
    });

    await findOrInstallProgram('curl', 'curl');
    const folder = makeTestFolder('snippet');
    const command = await visitor.textOf('[aria-label="curl request"] pre');
    const env = { PATH: process.env.PATH, CAPTURE_KEY: key };
    await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
    expect((await readFile(path.join(folder, 'capture.png'))).subarray(0, 4).toString('hex')).toBe(png);
  });

  it('stands in a link, without what is confided and without what no control can show', async () => {
    await come();
    const given = {
      url: `${dashboard.platform.shop}?q='`,
      full_page: true,
      width: { a: 1 },
      headers: { a: 'b' },
      no_option: 1,
    };
    const options = encodeURIComponent(JSON.stringify(given));
    await visitor.open(`/playground#type=screenshot&options=${options}`, 'Playground');
    await visitor.fill('Find an option', 'basic_auth', 'searchbox');
    await visitor.fill('basic_auth username', 'ada');
    await visitor.fill('basic_auth password', 'lovelace');
    await visitor.press('Link', 'tab');
    await visitor.see('Left out, since links are passed on: basic_auth.');
    const link = await visitor.textOf('[aria-label="link to this form"] pre');
    const told = new URLSearchParams(new URL(link).hash.slice(1));
    expect(JSON.parse(told.get('options') ?? '')).toEqual({ url: `${dashboard.platform.shop}?q='`, full_page: true });
    await waitUntil(() => visitor.page.url() === link, { what: 'the form in the address' });
    expect(link).not.toContain('lovelace');
    await visitor.page.reload();
    await visitor.see('1 set');
    expect(await visitor.page.$eval('input[type="url"]', (input) => input.value)).toBe(
      `${dashboard.platform.shop}?q='`,
    );
  });

  it('says at the option what is wrong with it', async () => {
    await come();
    const options = encodeURIComponent(JSON.stringify({ url: dashboard.platform.shop, quality: 80 }));
    await visitor.open(`/playground#type=screenshot&options=${options}`, 'Playground');
    await visitor.press('Capture');
    await visitor.see('Something in it is not right');
    expect(await visitor.textOf('[data-option="quality"]')).toContain('is not an option of png');
    await visitor.press('Reset quality');
    await visitor.press('Capture');
    await seeImage();
  });

  it('shows why a capture failed', async () => {
    await come();
    const options = encodeURIComponent(
      JSON.stringify({ url: dashboard.platform.shop.replace('shop', 'gone'), fail_on_status: [404] }),
    );
    await visitor.open(`/playground#type=pdf&options=${options}`, 'Playground');
    await visitor.press('Capture');
    await visitor.see('That did not work');
    await visitor.see('In the queue');
    expect(await visitor.text()).toMatch(/Status\s+404/);
  });

  it('makes PDFs and captures what is written in it, asynchronously too', async () => {
    await come();
    const options = encodeURIComponent(JSON.stringify({ html: '<h1>Invoice</h1>', async: true }));
    await visitor.open(`/playground#type=pdf&options=${options}`, 'Playground');
    await visitor.press('Capture');
    await visitor.page.waitForSelector('object[type="application/pdf"]');
    const address = await visitor.page.$eval('a[download]', (link) => link.href);
    const begin = await visitor.page.evaluate(async (file) => (await (await fetch(file)).text()).slice(0, 5), address);
    expect(begin).toBe('%PDF-');
  });
});

describe('batches and captures', () => {
  it('take a list, follow it to its end, try again what failed, and are a gallery', async () => {
    await come();
    await visitor.open('/batches', 'Batches');
    await visitor.press('New batch', 'link');
    await visitor.seeHeading('New batch');
    const gone = dashboard.platform.shop.replace('shop', 'gone');
    const pages = Array.from({ length: 26 }, (_, index) => `${dashboard.platform.shop}?${index}`);
    const list = ['page,address', ...pages.map((url) => `a,${url}`), `b,${gone}`, `again,${gone}`, 'c,nothing'].join(
      '\n',
    );
    await visitor.paste('One address a line, or a table with a column of them', list);
    await visitor.see('27 addresses, 1 repeated and left out, 1 line not understood');
    await visitor.see('Line 30 holds no address: c,nothing');
    await visitor.fill('Find an option', 'fail_on_status', 'searchbox');
    await visitor.page.locator('[data-option="fail_on_status"] input:not([type="hidden"])').fill('4xx');
    await visitor.page.keyboard.press('Enter');
    await visitor.press('Capture 27 pages');
    await visitor.seeHeading('Batch of 27');
    await visitor.see('26 succeeded, 1 failed of 27');
    await visitor.see('HTTP_STATUS');
    await visitor.page.waitForSelector('a[download$=".zip"]');
    const archive = await visitor.page.$eval('a[download$=".zip"]', (link) => link.href);
    const zip = await visitor.page.evaluate(async (file) => (await (await fetch(file)).text()).slice(0, 2), archive);
    expect(zip).toBe('PK');
    await visitor.press('Try 1 failed again');
    await visitor.press('Submit them again');
    await visitor.seeHeading('Batch of 1');
    await visitor.see('0 succeeded, 1 failed of 1');

    const pdf = { html: '<h1>Invoice</h1>', response_type: 'json' };
    await dashboard.platform.call(key, 'POST', '/api/v1/pdf', pdf);
    await visitor.press('Captures', 'link');
    await visitor.seeHeading('Captures');
    await visitor.choose('Status', 'completed');
    await visitor.press('Show more captures');
    const count = () => visitor.page.$$eval('ul[aria-label="Captures"] > li', (cards) => cards.length);
    await waitUntil(async () => (await count()) === 27, { what: 'more captures than one page' });
    await visitor.page.waitForFunction(() => [...document.images].some(({ naturalWidth }) => naturalWidth > 0));
    await visitor.choose('Type', 'PDF');
    await waitUntil(async () => (await count()) === 1, { what: 'the one PDF' });
    await visitor.page.locator('ul[aria-label="Captures"] a').click();
    await visitor.seeHeading('PDF');
    for (const text of ['Record', 'Receipt', '"html": "<h1>Invoice</h1>"', 'Nobody was to be told'])
      await visitor.see(text);
    await visitor.press('Delete the file');
    await visitor.press('Delete it');
    await visitor.see('There is no file (any more).');

    await visitor.press('Usage', 'link');
    await visitor.see('Only captures that complete count.');
    await visitor.see('Completed: 27 · From the cache: 0 · Failed: 2');
    await visitor.press('Show as a table');
    await visitor.page.waitForSelector('main table tbody tr');
  });

  it('are cancelled after a question', async () => {
    await come();
    const items = Array.from({ length: 12 }, (_, index) => ({
      url: `${dashboard.platform.shop}?slow=${index}`,
      delay_ms: 2_000,
    }));
    const { batch_id } = await dashboard.platform.call(key, 'POST', '/api/v1/batches', { items });
    await visitor.open(`/batches/${batch_id}`, 'Batch of 12');
    await visitor.press('Cancel');
    await visitor.press('Cancel it');
    await visitor.seeNo('Cancel this batch?');
    await waitUntil(async () => /\d+ cancelled/.test(await visitor.text()), { what: 'the page to say so' });
    const batch = await dashboard.platform.call(key, 'GET', `/api/v1/batches/${batch_id}`);
    expect(batch).toMatchObject({ status: 'cancelled' });
  });
});

it('goes from the start to a capture by the keyboard alone', async () => {
  await come();
  await visitor.open('/captures', 'Captures');
  const { keyboard } = visitor.page;
  const focused = () => visitor.page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id);
  await keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  await keyboard.press('Enter');
  expect(await visitor.page.evaluate(() => document.activeElement?.id)).toBe('main');
  await visitor.page.reload();
  await visitor.seeHeading('Captures');
  // Past the way to the content, the name, the colours and the account.
  for (let tabs = 0; tabs < 5; tabs += 1) await keyboard.press('Tab');
  expect(await focused()).toBe('Playground');
  await keyboard.press('Enter');
  await visitor.seeHeading('Playground');
  await visitor.page.waitForSelector('input[type="url"]');
  // A new page begins at its top: kind, source, address.
  for (let tabs = 0; tabs < 3; tabs += 1) await keyboard.press('Tab');
  await keyboard.type(dashboard.platform.shop);
  await keyboard.press('Enter');
  await seeImage();
});
