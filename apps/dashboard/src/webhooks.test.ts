import { createHmac } from 'node:crypto';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Visitor } from './browser.test-support.ts';
import { givenDashboard } from './given-dashboard.test-support.ts';
import type { PlatformUnderTest } from './platform.test-support.ts';

const dashboard = givenDashboard({
  services: ['capture-worker', 'webhook-dispatcher'],
  env: { WEBHOOK_RETRY_DELAYS: '10ms,10ms,10ms,10ms,10ms' },
});
let platform: PlatformUnderTest;
let key: string;
let visitor: Visitor;

beforeEach(async () => {
  platform = dashboard.platform;
  key = await platform.register();
  visitor = await dashboard.come({ key });
  platform.receiver.respondWith({ status: 200 });
});

const register = (path: string) =>
  platform.call(key, 'POST', '/api/v1/webhooks', { url: platform.receiver.url + path, events: ['capture.completed'] });

const capture = () => platform.call(key, 'POST', '/api/v1/screenshot', { url: platform.shop, response_type: 'json' });

const hitsOf = (path: string) => platform.receiver.waitForHits(1, { matches: (hit) => hit.path === path });

describe('webhooks', () => {
  it('are added with a secret that is shown once and signs what comes, tested, paused, rotated and deleted', async () => {
    const url = `${platform.receiver.url}/added`;
    await visitor.open('/webhooks', 'Webhooks');
    await visitor.see('No endpoint yet');
    await visitor.press('Add an endpoint');
    await visitor.fill('Address', 'http://plain.example.com/');
    await visitor.press('Add it');
    await visitor.see('Something in it is not right');
    await visitor.fill('Address', url);
    await visitor.press('Add it');
    await visitor.see('Your signing secret: copy it now');
    const secret = await visitor.textOf('main [role="status"] code');
    await visitor.press('I have kept it');
    await visitor.seeNo(secret);

    await capture();
    const [hit] = await hitsOf('/added');
    const signature = createHmac('sha256', secret)
      .update(hit?.body ?? '')
      .digest('hex');
    expect(hit?.headers['x-service-signature']).toBe(signature);

    await visitor.press(`Test ${url}`);
    await visitor.see('It answered 200');
    await visitor.leaveDialog();
    await visitor.press(`Pause ${url}`);
    await visitor.see('paused');
    await visitor.press(`Activate ${url}`);
    await visitor.seeNo('paused');
    await visitor.press(`Rotate secret of ${url}`);
    await visitor.press('Rotate it');
    await visitor.see('Your signing secret: copy it now');
    expect(await visitor.textOf('main [role="status"] code')).not.toBe(secret);
    await visitor.press(`Delete ${url}`);
    await visitor.press('Delete it');
    await visitor.see('No endpoint yet');
  });

  it('show the account’s own secret when it is asked for', async () => {
    await visitor.open('/webhooks', 'Webhooks');
    const { secret } = await platform.call(key, 'GET', '/api/v1/account/signing-secret');
    await visitor.see('The signing secret of your account');
    expect(await visitor.page.content()).not.toContain(secret);
    await visitor.press('Show it');
    await visitor.see(secret);
    await visitor.press('Hide it');
    await visitor.seeNo(secret);
  });
});

describe('deliveries', () => {
  it('are a log with every attempt, and what failed is sent again: one, those chosen, or all since a time', async () => {
    platform.receiver.respondWith({ status: 500, body: 'the shelf is full' });
    const { id } = await register('/failing');
    const { request_id } = await capture();
    const hits = () => platform.receiver.hits.filter((hit) => hit.path === '/failing').length;
    const log = () => platform.call(key, 'GET', '/api/v1/webhooks/deliveries');
    await waitUntil(async () => (await log()).deliveries[0]?.status === 'failed', { what: 'the last attempt to fail' });
    expect(hits()).toBe(6);

    await visitor.open(`/captures/${request_id}`, 'Screenshot');
    await visitor.press('capture.completed', 'link');
    await visitor.seeHeading('capture.completed');
    await visitor.see('Attempt 6: http_5xx (500)');
    await visitor.see('the shelf is full');
    await visitor.see(`"request_id": "${request_id}"`);
    platform.receiver.respondWith({ status: 200 });
    await visitor.press('Send it again');
    await visitor.see('Attempt 7, by hand: taken (200)');

    platform.receiver.respondWith({ status: 500 });
    await capture();
    await waitUntil(async () => (await log()).deliveries[0]?.status === 'failed', { what: 'another to fail' });
    platform.receiver.respondWith({ status: 200 });
    await visitor.open('/deliveries', 'Deliveries');
    await visitor.choose('Status', 'failed');
    await waitUntil(async () => (await visitor.page.$$('main tbody tr')).length === 1, { what: 'the one that failed' });
    expect(await visitor.place()).toBe('/deliveries?status=failed');
    const before = hits();
    await visitor.page.locator('::-p-aria([name="Choose all that are shown"])').click();
    await visitor.press('Send the chosen ones again');
    await visitor.see('1 sent again');
    await waitUntil(() => hits() === before + 1, { what: 'the chosen one to come' });
    await visitor.see('No delivery is like that');

    await visitor.open('/webhooks', 'Webhooks');
    await visitor.press(`Send again to ${platform.receiver.url}/failing`);
    await visitor.choose('Outcome', 'All of them');
    await visitor.press('Send again');
    await visitor.see('2 deliveries go out again.');
    await waitUntil(() => hits() === before + 3, { what: 'both to come again' });
    await visitor.leaveDialog();
    await visitor.press('Its deliveries', 'link');
    await visitor.seeHeading('Deliveries');
    expect(await visitor.place()).toBe(`/deliveries?webhook_id=${id}`);
  });
});
