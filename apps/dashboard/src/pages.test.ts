import { beforeAll, describe, expect, it } from '@jest/globals';
import { startPlatform } from './platform.test-support.ts';
import { setUpDashboard } from './set-up-dashboard.test-support.ts';

const dashboard = setUpDashboard({ services: ['capture-worker'] });
let key: string;
let paths: string[];

beforeAll(async () => {
  const { platform } = dashboard;
  key = await platform.register();
  await platform.call(key, 'POST', '/api/v1/webhooks', {
    url: `${platform.receiver.url}/hook`,
    events: ['capture.completed'],
  });
  const capture = { url: platform.shop, block_ads: true, metadata: { order: '4711' }, response_type: 'json' };
  const { request_id } = await platform.call(key, 'POST', '/api/v1/screenshot', capture);
  const items = [{ url: platform.shop }, { url: platform.shop, fail_on_status: ['2xx'] }];
  const { batch_id } = await platform.call(key, 'POST', '/api/v1/batches', { items });
  await platform.waitForBatch(key, batch_id);
  // Without a dispatcher, the delivery stays pending.
  const { deliveries } = await platform.call(key, 'GET', '/api/v1/webhooks/deliveries');
  paths = [
    '/playground',
    '/captures',
    '/captures?type=pdf',
    `/captures/${request_id}`,
    '/batches',
    '/batches/new',
    `/batches/${batch_id}`,
    '/presets',
    '/links',
    '/webhooks',
    '/deliveries',
    `/deliveries/${deliveries[0].id}`,
    '/usage',
    '/keys',
    '/nowhere',
  ];
});
describe('every page', () => {
  it.each([
    { size: 'desktop', scheme: 'light' },
    { size: 'phone', scheme: 'dark' },
  ] as const)('is accessible, fits the screen and obeys its CSP ($size, $scheme)', async (options) => {
    const visitor = await dashboard.newVisitor({ ...options, key });
    for (const path of paths) {
      await visitor.open(path);
      await visitor.waitUntilLoaded();
      expect({ path, accessibilityFaults: await visitor.accessibilityFaults() }).toEqual({
        path,
        accessibilityFaults: [],
      });
      expect({ path, overflow: await visitor.overflow() }).toEqual({ path, overflow: 0 });
    }
    const guest = await dashboard.newVisitor(options);
    await guest.open('/sign-in');
    expect(await guest.accessibilityFaults()).toEqual([]);
    expect(await guest.overflow()).toBe(0);
    await guest.press('Operator sign-in');
    await guest.see('Operator key');
    expect(await guest.accessibilityFaults()).toEqual([]);
    expect(await guest.overflow()).toBe(0);
  });
});

it('has accessible groups, dialogs and menus', async () => {
  const visitor = await dashboard.newVisitor({ key, scheme: 'dark' });
  await visitor.open('/playground', 'Playground');
  // Groups with a match are open: nearly every option contains an e.
  await visitor.fill('Find an option', 'e', 'searchbox');
  await visitor.page.waitForFunction(() => !document.querySelector('[aria-expanded="false"][id*="control"]'));
  expect(await visitor.accessibilityFaults()).toEqual([]);
  await visitor.open('/webhooks', 'Webhooks');
  await visitor.press('Add an endpoint');
  await visitor.see('Leave empty to generate one');
  expect(await visitor.accessibilityFaults()).toEqual([]);
});

it('shows the rows of a table as cards on a phone, with nothing cut off', async () => {
  const visitor = await dashboard.newVisitor({ key, size: 'phone' });
  await visitor.open('/keys', 'API keys');
  await visitor.press(`Revoke the key that ends in ${key.slice(-4)}`);
  await visitor.leaveDialog();
  const card = await visitor.page.$eval('tbody tr', (row) => ({
    labels: [...row.querySelectorAll('td > span')].map((label) => label.textContent),
    outside: [...row.querySelectorAll('*')].filter((part) => part.getBoundingClientRect().right > window.innerWidth)
      .length,
  }));
  expect(card).toEqual({ labels: ['Key', 'Created', 'Last used'], outside: 0 });
});

it('ships its typeface', async () => {
  const visitor = await dashboard.newVisitor({ key });
  await visitor.open('/keys', 'API keys');
  const loaded = await visitor.page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
  });
  expect(new Set(loaded)).toEqual(new Set(['Inter Variable']));
});

it('can be navigated on a phone', async () => {
  const visitor = await dashboard.newVisitor({ key, size: 'phone' });
  await visitor.open('/playground', 'Playground');
  await visitor.press('Open navigation');
  await visitor.press('Usage', 'link');
  await visitor.seeHeading('Usage');
  await visitor.press('Open navigation');
});

it('follows the colour scheme of the system until the user chooses one', async () => {
  const visitor = await dashboard.newVisitor({ key, scheme: 'dark' });
  const background = () => visitor.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await visitor.open('/keys', 'API keys');
  const dark = await background();
  await visitor.press('Use light colours');
  await visitor.page.locator('::-p-aria([name="Use dark colours"])').wait();
  expect(await background()).not.toBe(dark);
  await visitor.page.reload();
  await visitor.seeHeading('API keys');
  expect(await background()).not.toBe(dark);
});

describe('form A', () => {
  it('explains the missing features, and tests any URL', async () => {
    const formA = await startPlatform({ form: 'A' });
    try {
      const visitor = await dashboard.newVisitor({ key: await formA.register() }, formA.url);
      await visitor.open('/webhooks', 'Webhooks');
      await visitor.see('keeps no list of endpoints and no delivery log');
      expect(await visitor.text()).not.toContain('Deliveries');
      await visitor.fill('URL', `${formA.receiver.url}/a`);
      await visitor.press('Send');
      await visitor.see('Response: 200');
      await visitor.open('/deliveries', 'Deliveries');
      await visitor.see('This service keeps no delivery log');
    } finally {
      await formA.close();
    }
  });
});
