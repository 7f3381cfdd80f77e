import { createHmac } from 'node:crypto';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Visitor } from './browser.test-support.ts';
import type { PlatformUnderTest } from './platform.test-support.ts';
import { setUpDashboard } from './set-up-dashboard.test-support.ts';

const dashboard = setUpDashboard({
  services: ['capture-worker', 'webhook-dispatcher'],
  env: { WEBHOOK_RETRY_DELAYS: '10ms,10ms,10ms,10ms,10ms' },
});
let platform: PlatformUnderTest;
let key: string;
let visitor: Visitor;

beforeEach(async () => {
  platform = dashboard.platform;
  key = await platform.register();
  visitor = await dashboard.newVisitor({ key });
  platform.receiver.respondWith({ status: 200 });
});

const register = (path: string) =>
  platform.call(key, 'POST', '/api/v1/webhooks', { url: platform.receiver.url + path, events: ['capture.completed'] });

const capture = () => platform.call(key, 'POST', '/api/v1/screenshot', { url: platform.shop, response_type: 'json' });

const hitsOf = (path: string) => platform.receiver.waitForHits(1, { matches: (hit) => hit.path === path });

describe('webhooks', () => {
  it('are added with a secret that is shown once and signs deliveries, tested, paused, rotated and deleted', async () => {
    const url = `${platform.receiver.url}/added`;
    await visitor.open('/webhooks', 'Webhooks');
    await visitor.see('No endpoints yet');
    await visitor.press('Add an endpoint');
    await visitor.fill('URL', 'http://plain.example.com/');
    await visitor.press('Add endpoint');
    await visitor.see('Invalid request');
    await visitor.fill('URL', url);
    await visitor.press('Add endpoint');
    await visitor.see('Copy your signing secret now');
    const secret = await visitor.textOf('main [role="status"] code');
    await visitor.press('I saved it');
    await visitor.seeNo(secret);

    await capture();
    const [hit] = await hitsOf('/added');
    const signature = createHmac('sha256', secret)
      .update(hit?.body ?? '')
      .digest('hex');
    expect(hit?.headers['x-service-signature']).toBe(signature);

    await visitor.press(`Test ${url}`);
    await visitor.see('Response: 200');
    await visitor.leaveDialog();
    await visitor.press(`Pause ${url}`);
    await visitor.see('paused');
    await visitor.press(`Resume ${url}`);
    await visitor.seeNo('paused');
    await visitor.press(`Rotate secret of ${url}`);
    await visitor.press('Rotate secret');
    await visitor.see('Copy your signing secret now');
    expect(await visitor.textOf('main [role="status"] code')).not.toBe(secret);
    await visitor.press(`Delete ${url}`);
    await visitor.press('Delete endpoint');
    await visitor.see('No endpoints yet');
  });

  it('show the signing secret of the account on demand', async () => {
    await visitor.open('/webhooks', 'Webhooks');
    const { secret } = await platform.call(key, 'GET', '/api/v1/account/signing-secret');
    await visitor.see('Account signing secret');
    expect(await visitor.page.content()).not.toContain(secret);
    await visitor.press('Show secret');
    await visitor.see(secret);
    await visitor.press('Hide secret');
    await visitor.seeNo(secret);
  });
});

describe('deliveries', () => {
  it('are listed with every attempt; failed ones are retried one by one, by selection, or replayed by time', async () => {
    platform.receiver.respondWith({ status: 500, body: 'the shelf is full' });
    const { id } = await register('/failing');
    const { request_id } = await capture();
    const hits = () => platform.receiver.hits.filter((hit) => hit.path === '/failing').length;
    const log = () => platform.call(key, 'GET', '/api/v1/webhooks/deliveries');
    await waitUntil(async () => (await log()).deliveries[0]?.status === 'failed', { what: 'the last attempt to fail' });
    expect(hits()).toBe(6);

    await visitor.open('/webhooks', 'Webhooks');
    await visitor.see('failing');
    await visitor.see('Every attempt has failed since');

    await visitor.open(`/captures/${request_id}`, 'Screenshot');
    await visitor.press('capture.completed', 'link');
    await visitor.seeHeading('capture.completed');
    await visitor.see('Attempt 6: failed (500)');
    await visitor.see('the shelf is full');
    await visitor.see(`"request_id": "${request_id}"`);
    platform.receiver.respondWith({ status: 200 });
    await visitor.press('Retry');
    await visitor.see('Attempt 7, manual: delivered (200)');

    platform.receiver.respondWith({ status: 500 });
    await capture();
    await waitUntil(async () => (await log()).deliveries[0]?.status === 'failed', {
      what: 'the second delivery to fail',
    });
    platform.receiver.respondWith({ status: 200 });
    await visitor.open('/deliveries', 'Deliveries');
    await visitor.choose('Status', 'failed');
    await waitUntil(async () => (await visitor.page.$$('main tbody tr')).length === 1, { what: 'the failed delivery' });
    expect(await visitor.path()).toBe('/deliveries?status=failed');
    const before = hits();
    await visitor.page.locator('::-p-aria([name="Select all deliveries"])').click();
    await visitor.press('Retry selected');
    await visitor.see('1 retried');
    await waitUntil(() => hits() === before + 1, { what: 'the retried delivery' });
    await visitor.see('No matching deliveries');

    await visitor.open('/webhooks', 'Webhooks');
    await visitor.see('100%');
    await visitor.see('2 delivered');
    await visitor.press(`Replay to ${platform.receiver.url}/failing`);
    await visitor.choose('Outcome', 'All outcomes');
    await visitor.press('Replay');
    await visitor.see('2 deliveries replayed.');
    await waitUntil(() => hits() === before + 3, { what: 'both deliveries again' });
    await visitor.leaveDialog();
    await visitor.press('Webhook deliveries', 'link');
    await visitor.seeHeading('Deliveries');
    expect(await visitor.path()).toBe(`/deliveries?webhook_id=${id}`);
  });
});
