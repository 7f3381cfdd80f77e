import { beforeAll, describe, expect, it } from '@jest/globals';
import { givenDashboard } from './given-dashboard.test-support.ts';
import { startPlatform } from './platform.test-support.ts';

const dashboard = givenDashboard({ services: ['capture-worker'] });
let key: string;
let places: string[];

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
  // Without a dispatcher it waits for ever, which is as good to look at as any.
  const { deliveries } = await platform.call(key, 'GET', '/api/v1/webhooks/deliveries');
  places = [
    '/playground',
    '/captures',
    '/captures?type=pdf',
    `/captures/${request_id}`,
    '/batches',
    '/batches/new',
    `/batches/${batch_id}`,
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
  ] as const)('keeps no one out, fits and obeys its own policy ($size, $scheme)', async (options) => {
    const visitor = await dashboard.come({ ...options, key });
    for (const place of places) {
      await visitor.open(place);
      await visitor.waitUntilLoaded();
      expect({ place, barriers: await visitor.barriers() }).toEqual({ place, barriers: [] });
      expect({ place, overflow: await visitor.overflow() }).toEqual({ place, overflow: 0 });
    }
    const stranger = await dashboard.come(options);
    await stranger.open('/sign-in');
    expect(await stranger.barriers()).toEqual([]);
    expect(await stranger.overflow()).toBe(0);
    await stranger.press('I run this service');
    await stranger.see('Operator key');
    expect(await stranger.barriers()).toEqual([]);
    expect(await stranger.overflow()).toBe(0);
  });
});

it('opens its groups, dialogs and menus without barriers', async () => {
  const visitor = await dashboard.come({ key, scheme: 'dark' });
  await visitor.open('/playground', 'Playground');
  // Whatever is searched for is opened: all but nothing has an e in it.
  await visitor.fill('Find an option', 'e', 'searchbox');
  await visitor.page.waitForFunction(() => !document.querySelector('[aria-expanded="false"][id*="control"]'));
  expect(await visitor.barriers()).toEqual([]);
  await visitor.open('/webhooks', 'Webhooks');
  await visitor.press('Add an endpoint');
  await visitor.see('Left empty, one is made for you');
  expect(await visitor.barriers()).toEqual([]);
});

it('is navigated on a phone', async () => {
  const visitor = await dashboard.come({ key, size: 'phone' });
  await visitor.open('/playground', 'Playground');
  await visitor.press('Open the navigation');
  await visitor.press('Usage', 'link');
  await visitor.seeHeading('Usage');
  await visitor.press('Open the navigation');
});

it('is light or dark as the system is, until somebody chooses', async () => {
  const visitor = await dashboard.come({ key, scheme: 'dark' });
  const ground = () => visitor.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await visitor.open('/keys', 'API keys');
  const dark = await ground();
  await visitor.press('Use light colours');
  await visitor.page.locator('::-p-aria([name="Use dark colours"])').wait();
  expect(await ground()).not.toBe(dark);
  await visitor.page.reload();
  await visitor.seeHeading('API keys');
  expect(await ground()).not.toBe(dark);
});

describe('form A', () => {
  it('says what there is not, and tests any address', async () => {
    const formA = await startPlatform({ form: 'A' });
    try {
      const visitor = await dashboard.come({ key: await formA.register() }, formA.url);
      await visitor.open('/webhooks', 'Webhooks');
      await visitor.see('keeps no list of endpoints and no delivery log');
      expect(await visitor.text()).not.toContain('Deliveries');
      await visitor.fill('Address', `${formA.receiver.url}/a`);
      await visitor.press('Send it');
      await visitor.see('It answered 200');
      await visitor.open('/deliveries', 'Deliveries');
      await visitor.see('This service keeps no delivery log');
    } finally {
      await formA.close();
    }
  });
});
