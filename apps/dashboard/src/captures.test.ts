import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { allCaptureKinds } from '@capture/contract/options/capture-options';
import { findOrInstallProgram } from '@capture/testing/processes/find-program';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Visitor } from './browser.test-support.ts';
import { setUpDashboard } from './set-up-dashboard.test-support.ts';

const dashboard = setUpDashboard({ services: ['capture-worker'] });
let key: string;
let visitor: Visitor;

beforeEach(async () => {
  key = await dashboard.platform.register();
});

const openVisitor = async () => {
  visitor = await dashboard.newVisitor({ key });
};

const png = '89504e47';

/** Waits until the image of the capture is rendered. */
const seeImage = () =>
  visitor.page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>('img[alt^="Capture of"]');
    return image?.complete && image.naturalWidth > 0 && [image.naturalWidth, image.naturalHeight];
  });

describe('the playground', () => {
  it('has a control for every option of each kind', async () => {
    await openVisitor();
    for (const { type, request } of allCaptureKinds) {
      // The first form is loaded; later forms follow the fragment of the URL.
      await visitor.open(`/playground#type=${type}`, 'Playground');
      const options = Object.keys(request.in.shape).filter((name) => name !== 'url' && name !== 'html');
      const shown = () =>
        visitor.page.$$eval('[data-option]', (fields) =>
          fields.map((field) => [
            (field as HTMLElement).dataset.option,
            field.querySelector('input, textarea, button') !== null,
          ]),
        );
      await waitUntil(async () => (await shown()).length === options.length, { what: `the options of ${type}` });
      expect(Object.fromEntries(await shown())).toEqual(Object.fromEntries(options.map((name) => [name, true])));
    }
  });

  it('captures with the chosen options, shows the receipt, and shows the request as code', async () => {
    await openVisitor();
    await visitor.open('/playground', 'Playground');
    await visitor.fill('URL', dashboard.platform.shop);
    await visitor.fill('Find an option', 'viewport', 'searchbox');
    await visitor.fill('width · CSS pixels', '640');
    await visitor.fill('height · CSS pixels', '480');
    await visitor.fill('Find an option', 'hide_selectors', 'searchbox');
    await visitor.page.locator('[data-option="hide_selectors"] input:not([type="hidden"])').fill('h1, h2');
    await visitor.page.keyboard.press('Enter');
    await visitor.press('Capture');
    expect(await (await seeImage()).jsonValue()).toEqual([640, 480]);
    for (const text of ['The shop', 'Until ready', 'Failed or pending requests (1)']) await visitor.see(text);
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
    const env = { PATH: process.env.PATH, CAPTURE_API_KEY: key };
    await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
    expect((await readFile(path.join(folder, 'capture.png'))).subarray(0, 4).toString('hex')).toBe(png);
  });

  it('asks for further outputs by the keyboard, each with its options, and shows their files', async () => {
    await openVisitor();
    await visitor.open('/playground', 'Playground');
    const { page } = visitor;
    await visitor.fill('URL', dashboard.platform.shop);
    await visitor.fill('Find an option', 'outputs', 'searchbox');
    const pressOn = async (name: string, role: string) => {
      const element = await page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`);
      await element?.focus();
      await page.keyboard.press('Space');
    };
    await pressOn('Markdown', 'checkbox');
    await pressOn('MHTML', 'checkbox');
    await pressOn('Add a screenshot', 'button');
    await visitor.fill('Name of Screenshot, output 3', 'small');
    await visitor.fill('width', '400');
    await pressOn('full_page', 'switch');
    // Unchecking a box removes an output, and checking it again restores the output's options.
    await pressOn('MHTML', 'checkbox');
    await visitor.fill('Name of Markdown, output 1', 'words');
    await pressOn('Markdown', 'checkbox');
    await pressOn('Markdown', 'checkbox');
    await pressOn('Remove Markdown, output 2', 'button');
    expect(await page.$eval('input:focus', ({ labels }) => labels?.[0]?.textContent)).toBe('Markdown');
    await page.keyboard.press('Space');
    await visitor.fill('width', '4');
    await visitor.press('Capture');
    await page.waitForSelector('[aria-label="Screenshot, output 1"] ::-p-text(must be at least 16)');
    await visitor.fill('width', '400');
    await visitor.press('Capture');
    await seeImage();
    const { captures } = await dashboard.platform.call(key, 'GET', '/api/v1/captures?limit=1');
    expect(captures[0].options.outputs).toEqual([
      { kind: 'screenshot', name: 'small', width: 400, full_page: true },
      { kind: 'markdown', name: 'words' },
    ]);
    await pressOn('words', 'radio');
    await visitor.see('# Shop');
  });

  it('checks the form before it sends a request', async () => {
    await openVisitor();
    await visitor.open('/playground', 'Playground');
    const sent: string[] = [];
    visitor.page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await visitor.press('Capture');
    await visitor.see('Enter the URL of a page');
    await visitor.fill('URL', dashboard.platform.shop.replace('http://', ''));
    await visitor.fill('Find an option', 'viewport', 'searchbox');
    await visitor.fill('width · CSS pixels', '5');
    await visitor.press('Capture');
    await visitor.see('must be between 16 and 7680');
    expect(sent).toEqual([]);
    await visitor.fill('width · CSS pixels', '500');
    await visitor.press('Capture');
    expect(await (await seeImage()).jsonValue()).toEqual([500, 720]);
    expect(sent).toHaveLength(1);
  });

  it('retries when the service is busy, and keeps the last result meanwhile', async () => {
    await openVisitor();
    const options = encodeURIComponent(JSON.stringify({ url: dashboard.platform.shop }));
    await visitor.open(`/playground#type=screenshot&options=${options}`, 'Playground');
    await visitor.press('Capture');
    await seeImage();
    let refused = 0;
    await visitor.page.setRequestInterception(true);
    visitor.page.on('request', (request) => {
      if (request.method() !== 'POST' || refused > 0) return request.continue();
      refused += 1;
      const body = JSON.stringify({
        error_code: 'RATE_LIMITED',
        error_message: 'Too many requests.',
        request_id: 'req_x',
      });
      return request.respond({ status: 429, headers: { 'Retry-After': '2' }, contentType: 'application/json', body });
    });
    await visitor.press('Capture');
    await visitor.see('This one is sent again in a moment.');
    expect(await visitor.page.$('img[alt^="Capture of"]')).not.toBeNull();
    await visitor.seeNo('This one is sent again in a moment.');
    const count = async () => (await dashboard.platform.call(key, 'GET', '/api/v1/captures')).captures.length;
    await waitUntil(async () => (await count()) === 2, { what: 'the second capture' });
    expect(refused).toBe(1);
  });

  it('starts from presets, takes OG images as cards, and shows earlier runs again', async () => {
    await openVisitor();
    const { request_id } = await dashboard.platform.call(key, 'POST', '/api/v1/screenshot', {
      url: dashboard.platform.shop,
      dark_mode: true,
      width: 700,
      response_type: 'json',
    });
    await visitor.open('/playground', 'Playground');
    await visitor.press('Full page');
    await visitor.see('"full_page": true');
    await visitor.press('Full page');
    await visitor.pick('OG image');
    await visitor.see('"template": "card"');
    await visitor.pick('Screenshot');
    await visitor.page.locator('button[aria-current="false"]').click();
    expect(await (await seeImage()).jsonValue()).toEqual([700, 720]);
    await visitor.press('Use these options');
    await visitor.see('"dark_mode": true');
    expect(await visitor.page.$eval('a[href*="/captures/req_"]', (link) => link.getAttribute('href'))).toContain(
      request_id,
    );
    expect(await visitor.accessibilityFaults()).toEqual([]);
  });

  it('stores the options of a form as a preset, without the URL, and lists, uses and deletes it', async () => {
    await openVisitor();
    const linked = { url: dashboard.platform.shop, width: 600, hide_selectors: ['h1'] };
    const options = encodeURIComponent(JSON.stringify(linked));
    await visitor.open(`/playground#type=screenshot&options=${options}`, 'Playground');
    await visitor.press('Save as preset');
    await visitor.fill('Name', 'No heading');
    expect(await visitor.accessibilityFaults('[role="dialog"]')).toEqual([]);
    await visitor.press('Save preset');
    await visitor.seeNo('Save as preset');
    const stored = await dashboard.platform.call(key, 'GET', '/api/v1/presets/no-heading');
    expect(stored).toMatchObject({ version: 1, options: { width: 600, hide_selectors: ['h1'] } });

    await visitor.press('Presets', 'link');
    await visitor.seeHeading('Presets');
    await visitor.see('"width":600');
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await visitor.press('Use no-heading', 'link');
    await visitor.see('"preset": "no-heading"');
    await visitor.press('no-heading');
    await visitor.seeNo('"preset": "no-heading"');

    await visitor.press('Presets', 'link');
    await visitor.seeHeading('Presets');
    await visitor.press('Delete no-heading');
    await visitor.press('Delete preset');
    await visitor.see('No presets yet');
  });

  it('keeps its form in a link, without secret options and invalid values', async () => {
    await openVisitor();
    const linked = {
      url: `${dashboard.platform.shop}?q='`,
      full_page: true,
      width: { a: 1 },
      headers: { a: 'b' },
      no_option: 1,
    };
    const options = encodeURIComponent(JSON.stringify(linked));
    await visitor.open(`/playground#type=screenshot&options=${options}`, 'Playground');
    await visitor.fill('Find an option', 'basic_auth', 'searchbox');
    await visitor.fill('basic_auth username', 'ada');
    await visitor.fill('basic_auth password', 'lovelace');
    await visitor.press('Link', 'tab');
    await visitor.see('Not in the link: basic_auth.');
    const link = await visitor.textOf('[aria-label="link to this form"] pre');
    const params = new URLSearchParams(new URL(link).hash.slice(1));
    expect(JSON.parse(params.get('options') ?? '')).toEqual({ url: `${dashboard.platform.shop}?q='`, full_page: true });
    await waitUntil(() => visitor.page.url() === link, { what: 'the form in the address' });
    expect(link).not.toContain('lovelace');
    await visitor.page.reload();
    await visitor.see('1 set');
    expect(await visitor.page.$eval('input[type="url"]', (input) => input.value)).toBe(
      `${dashboard.platform.shop}?q='`,
    );
  });

  it('shows an error at its option, and why a capture failed', async () => {
    await openVisitor();
    const options = encodeURIComponent(JSON.stringify({ url: dashboard.platform.shop, quality: 80 }));
    await visitor.open(`/playground#type=screenshot&options=${options}`, 'Playground');
    await visitor.press('Capture');
    await visitor.see('Invalid request');
    expect(await visitor.textOf('[data-option="quality"]')).toContain('is not an option of png');
    await visitor.press('Reset quality');
    await visitor.press('Capture');
    await seeImage();

    const failing = { url: dashboard.platform.shop.replace('shop', 'gone'), fail_on_status: [404] };
    await visitor.open(`/playground#type=pdf&options=${encodeURIComponent(JSON.stringify(failing))}`, 'Playground');
    await visitor.see('"fail_on_status"');
    await visitor.press('Capture');
    await visitor.see('The page responded with an error');
    await visitor.see('remove the status from fail_on_status');
    expect(await visitor.page.$('a[href="/docs/errors#http_status"]')).not.toBeNull();
    // Until then the status is that of the previous result.
    await waitUntil(async () => /Status\s+404/.test(await visitor.text()), {
      what: 'the receipt of the failed capture',
    });
  });

  it('captures its own HTML as a PDF, also asynchronously', async () => {
    await openVisitor();
    const options = encodeURIComponent(JSON.stringify({ html: '<h1>Invoice</h1>', async: true }));
    await visitor.open(`/playground#type=pdf&options=${options}`, 'Playground');
    await visitor.press('Capture');
    await visitor.page.waitForSelector('object[type="application/pdf"]');
    const address = await visitor.page.$eval('a[download]', (link) => link.href);
    const head = await visitor.page.evaluate(async (file) => (await (await fetch(file)).text()).slice(0, 5), address);
    expect(head).toBe('%PDF-');
    await visitor.page.waitForSelector('ul button[aria-current="true"]');
    const shown = await visitor.textOf('ul button[aria-current="true"]');
    expect(shown).toContain('Submitted HTML');
  });
});

describe('batches and captures', () => {
  it('captures a list with live progress, retries failures, and lists captures', async () => {
    await openVisitor();
    await visitor.open('/batches', 'Batches');
    await visitor.press('New batch', 'link');
    await visitor.seeHeading('New batch');
    const gone = dashboard.platform.shop.replace('shop', 'gone');
    const pages = Array.from({ length: 24 }, (_, index) => `${dashboard.platform.shop}?${index}`);
    const list = ['page,address', ...pages.map((url) => `a,${url}`), `b,${gone}`, `again,${gone}`, 'c,nothing'].join(
      '\n',
    );
    await visitor.paste('One URL per line, or a table with a URL column', list);
    await visitor.see('25 URLs, 1 duplicate ignored, 1 invalid line');
    await visitor.see('Line 28 contains no URL: c,nothing');
    await visitor.fill('Find an option', 'fail_on_status', 'searchbox');
    await visitor.page.locator('[data-option="fail_on_status"] input:not([type="hidden"])').fill('4xx');
    await visitor.page.keyboard.press('Enter');
    await visitor.press('Capture 25 pages');
    await visitor.seeHeading('Batch of 25');
    await visitor.see('24 of 25 succeeded, 1 failed');
    await visitor.see('HTTP_STATUS');
    await visitor.page.waitForSelector('a[download$=".zip"]');
    const archive = await visitor.page.$eval('a[download$=".zip"]', (link) => link.href);
    const zip = await visitor.page.evaluate(async (file) => (await (await fetch(file)).text()).slice(0, 2), archive);
    expect(zip).toBe('PK');
    await visitor.pick('Contact sheet');
    await visitor.page.waitForSelector('ul[aria-label="Contact sheet"] li:nth-child(25)');
    await visitor.page.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('ul[aria-label="Contact sheet"] img[src$="/thumbnail"]');
      return image?.naturalWidth === 480;
    });
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await visitor.press('Retry 1 failed');
    await visitor.press('Retry');
    await visitor.seeHeading('Batch of 1');
    await visitor.see('0 of 1 succeeded, 1 failed');

    const pdf = { html: '<h1>Invoice</h1>', response_type: 'json' };
    await dashboard.platform.call(key, 'POST', '/api/v1/pdf', pdf);
    await visitor.press('Captures', 'link');
    await visitor.seeHeading('Captures');
    await visitor.choose('Status', 'completed');
    await visitor.press('Show more captures');
    const count = () => visitor.page.$$eval('ul[aria-label="Captures"] > li', (cards) => cards.length);
    await waitUntil(async () => (await count()) === 25, { what: 'more captures than one page' });
    await visitor.page.waitForFunction(() => [...document.images].some(({ naturalWidth }) => naturalWidth > 0));
    await visitor.choose('Type', 'PDF');
    await waitUntil(async () => (await count()) === 1, { what: 'the one PDF' });
    await visitor.see('210 × 297 mm');
    await visitor.page.locator('ul[aria-label="Captures"] a').click();
    await visitor.seeHeading('PDF');
    for (const text of ['Submitted HTML', 'Record', 'Receipt', '"html": "…"', 'No deliveries: '])
      await visitor.see(text);
    await visitor.press('Delete the file');
    await visitor.press('Delete file');
    await visitor.see('The file is no longer available.');

    await visitor.press('Usage', 'link');
    await visitor.see('Only completed captures count.');
    await visitor.see('Completed: 25 · Cached: 0 · Failed: 2');
    await visitor.press('Show as a table');
    await visitor.page.waitForSelector('main table tbody tr');
  });

  it('finds captures by URL, captures selected ones again, and deletes their files', async () => {
    await openVisitor();
    for (const query of ['one', 'two', 'three']) {
      const capture = { url: `${dashboard.platform.shop}?${query}`, response_type: 'json', async: true };
      await waitUntil(
        () =>
          dashboard.platform.call(key, 'POST', '/api/v1/screenshot', capture).then(
            () => true,
            () => false,
          ),
        { what: 'the rate limit to allow a capture' },
      );
    }
    await visitor.open('/captures', 'Captures');
    const count = () => visitor.page.$$eval('ul[aria-label="Captures"] > li', (cards) => cards.length);
    await waitUntil(async () => (await count()) === 3, { what: 'all captures' });
    await visitor.fill('Search by URL', 'SHOP?t');
    await waitUntil(async () => (await count()) === 2, { what: 'the captures with this URL' });
    expect(await visitor.path()).toBe('/captures?url=SHOP%3Ft');
    await visitor.page.waitForFunction(() => document.querySelectorAll('img[src$="/thumbnail"]').length === 2);
    await visitor.page.locator('::-p-aria([name="Select all captures"])').click();
    await visitor.see('2 selected');
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await visitor.press('Delete files');
    await visitor.see('Delete the files of 2 captures?');
    await visitor.page.locator('::-p-aria([role="dialog"]) button::-p-text(Delete files)').click();
    await visitor.see('2 captures deleted');
    await visitor.page.waitForFunction(() => document.querySelectorAll('img[src$="/thumbnail"]').length === 0);
    await visitor.page.locator('::-p-aria([name="Select all captures"])').click();
    await visitor.press('Capture again');
    await visitor.page.locator('::-p-aria([role="dialog"]) button::-p-text(Capture again)').click();
    await visitor.seeHeading('Batch of 2');
    await visitor.see('2 succeeded');
  });

  it('shows the values that a content capture extracted, and offers no image tag of it', async () => {
    const body = {
      url: dashboard.platform.shop,
      response_type: 'json',
      extract: { title: { selector: 'h1' }, price: { selector: 'h1', type: 'number' } },
      outputs: ['screenshot'],
    };
    const { request_id: id } = await dashboard.platform.call(key, 'POST', '/api/v1/content', body);
    await openVisitor();
    await visitor.open(`/captures/${id}`, 'Content');
    await visitor.see('Extracted values');
    expect(await visitor.text()).toMatch(/"title": "Shop"[\s\S]*price: is not a number: Shop/);
    expect(await visitor.text()).toMatch(/ in 2 files/);
    expect(await visitor.text()).not.toContain('image tag');
    await visitor.press('Delete the files');
    await visitor.press('Delete files');
    await visitor.see('The file is no longer available');
    expect(await visitor.text()).not.toContain('Extracted values');
  });

  it('cancels a batch after confirmation', async () => {
    await openVisitor();
    const items = Array.from({ length: 12 }, (_, index) => ({
      url: `${dashboard.platform.shop}?slow=${index}`,
      delay_ms: 2_000,
    }));
    const { batch_id } = await dashboard.platform.call(key, 'POST', '/api/v1/batches', { items });
    await visitor.open(`/batches/${batch_id}`, 'Batch of 12');
    await visitor.press('Cancel');
    await visitor.press('Cancel batch');
    await visitor.seeNo('Cancel this batch?');
    await waitUntil(async () => /\d+ cancelled/.test(await visitor.text()), { what: 'the page to say so' });
    const batch = await dashboard.platform.call(key, 'GET', `/api/v1/batches/${batch_id}`);
    expect(batch).toMatchObject({ status: 'cancelled' });
  });
});

it('can be used by keyboard alone, from the start page to a capture', async () => {
  await openVisitor();
  await visitor.open('/captures', 'Captures');
  const { keyboard } = visitor.page;
  const focused = () => visitor.page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id);
  await keyboard.press('Tab');
  expect(await focused()).toBe('Skip to content');
  await keyboard.press('Enter');
  expect(await visitor.page.evaluate(() => document.activeElement?.id)).toBe('main');
  await visitor.page.reload();
  await visitor.seeHeading('Captures');
  // These five presses pass the skip link, the name, the colour scheme and the account menu.
  for (let tabs = 0; tabs < 5; tabs += 1) await keyboard.press('Tab');
  expect(await focused()).toBe('Playground');
  await keyboard.press('Enter');
  await visitor.seeHeading('Playground');
  await visitor.page.waitForSelector('input[type="url"]');
  // A new page starts at its top, so three presses pass kind, source and URL.
  for (let tabs = 0; tabs < 3; tabs += 1) await keyboard.press('Tab');
  await keyboard.type(dashboard.platform.shop);
  await keyboard.press('Enter');
  await seeImage();
});

it('shares its session with the forms of the documentation, which show the image of a capture', async () => {
  await openVisitor();
  const { page } = visitor;
  await page.goto(`${dashboard.platform.url}/docs/reference/getScreenshot`, { waitUntil: 'load' });
  await page.$eval(
    'input[name="url"]',
    (input, value) => {
      (input as HTMLInputElement).value = value;
    },
    dashboard.platform.shop,
  );
  await page.click('form[data-try] > button');
  await page.waitForSelector('.result img');
  expect(await visitor.textOf('.result')).toMatch(/^200 OK.*Download/);
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.result img')?.naturalWidth === 1280);
});
