import { createHmac } from 'node:crypto';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Visitor } from './browser.test-support.ts';
import type { PlatformUnderTest } from './platform.test-support.ts';
import { setUpDashboard } from './set-up-dashboard.test-support.ts';

// Both suites need a dispatcher: a platform and its browsers take seconds of processor time to start.
const dashboard = setUpDashboard({
  services: ['capture-worker', 'webhook-dispatcher'],
  env: { WEBHOOK_RETRY_DELAYS: '10ms,10ms,10ms,10ms,10ms' },
});
let platform: PlatformUnderTest;
let visitor: Visitor;
beforeEach(() => {
  platform = dashboard.platform;
});

const openVisitor = async () => {
  visitor = await dashboard.newVisitor({ operatorKey: platform.operatorKey });
};
const asOperator = (method: string, path: string, body?: object) =>
  platform.call(platform.operatorKey, method, `/api/operator${path}`, body);
const emailOf = async (key: string): Promise<string> => (await platform.call(key, 'GET', '/api/v1/account')).email;

describe('sign-in', () => {
  it('takes the operator key, does not keep it in the page, and leads to the overview', async () => {
    visitor = await dashboard.newVisitor();
    await visitor.open('/operator/cleanup-jobs', 'Capture platform');
    await visitor.press('Operator sign-in');
    await visitor.fill('Operator key', 'an-operator-key-that-is-not-the-one-here');
    await visitor.press('Sign in');
    await visitor.see('This key is invalid or has been revoked.');
    await visitor.fill('Operator key', platform.operatorKey);
    await visitor.press('Sign in');
    await visitor.seeHeading('Cleanup jobs');
    await visitor.press('Overview', 'link');
    await visitor.see('No issues');
    const pageState = await visitor.page.evaluate(() =>
      JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, history.state]),
    );
    expect(pageState).not.toContain(platform.operatorKey);
    // The operator has no access to the pages of accounts.
    await visitor.open('/captures', 'Overview');
    expect(await visitor.path()).toBe('/operator');
  });

  it('does not let accounts in', async () => {
    visitor = await dashboard.newVisitor({ key: await platform.register() });
    await visitor.open('/operator/accounts', 'Playground');
    expect(await visitor.text()).not.toContain('Cleanup jobs');
  });
});

describe('accounts', () => {
  it('can be found, moved to another plan, suspended and reactivated', async () => {
    const key = await platform.register();
    const email = await emailOf(key);
    await openVisitor();
    await visitor.open('/operator/accounts', 'Accounts');
    await visitor.fill('Email address or account ID', 'unknown@example.com');
    await visitor.see('No matching account');
    await visitor.fill('Email address or account ID', email.toUpperCase().replace('@EXAMPLE.COM', '@exam'));
    await visitor.press(`Manage ${email}`);
    await visitor.choose('Plan', 'starter');
    await visitor.press('Change plan');
    await visitor.see('0 of 2,000');
    expect(await platform.call(key, 'GET', '/api/v1/account')).toMatchObject({ plan: 'starter' });
    await visitor.press('Suspend');
    await visitor.press('Suspend account');
    await visitor.press('Reactivate');
    await expect(platform.call(key, 'GET', '/api/v1/account')).rejects.toThrow('403');
    await visitor.press('Reactivate account');
    await visitor.page.locator('::-p-aria([name="Suspend"][role="button"])').wait();
    await platform.call(key, 'GET', '/api/v1/account');
  });

  it('get a key and a secret, each shown once', async () => {
    const email = await emailOf(await platform.register());
    await openVisitor();
    await visitor.open(`/operator/accounts?search=${email}`, 'Accounts');
    await visitor.press(`Manage ${email}`);
    await visitor.press('Issue a key');
    await visitor.press('Issue key');
    await visitor.see('Copy your new API key now');
    const key = await visitor.textOf('[role="status"] code');
    expect(await emailOf(key)).toBe(email);
    await visitor.press('I passed it on');
    expect(await visitor.page.content()).not.toContain(key);
    await visitor.press('Issue a signing secret');
    await visitor.press('Issue secret');
    await visitor.see('Copy your new signing secret now');
    const secret = await visitor.textOf('[role="status"] code');
    expect(await platform.call(key, 'GET', '/api/v1/account/signing-secret')).toMatchObject({ secret });
    expect(await visitor.accessibilityFaults()).toEqual([]);
  });

  it('are deleted after their email address was typed', async () => {
    const key = await platform.register();
    const email = await emailOf(key);
    await openVisitor();
    await visitor.open(`/operator/accounts?search=${email}`, 'Accounts');
    await visitor.press(`Manage ${email}`);
    await visitor.press('Delete');
    await visitor.fill('Type its email address to confirm', 'another@example.com');
    const isDisabled = () =>
      visitor.page.$eval(
        '[role="dialog"] form button[type="submit"]',
        (button) => (button as HTMLButtonElement).disabled,
      );
    expect(await isDisabled()).toBe(true);
    await visitor.fill('Type its email address to confirm', email);
    await visitor.press('Delete account');
    await visitor.see('No matching account');
    await expect(platform.call(key, 'GET', '/api/v1/account')).rejects.toThrow('401');
  });
});

describe('captures', () => {
  it('of all accounts are found by account, outcome and URL', async () => {
    const key = await platform.register();
    const { id, email } = await platform.call(key, 'GET', '/api/v1/account');
    const capture = { response_type: 'json', headers: { secret: 'of-its-owner' } };
    await platform.call(key, 'POST', '/api/v1/screenshot', { ...capture, url: platform.shop });
    const gone = { ...capture, url: platform.shop.replace('shop', 'gone'), fail_on_status: [404] };
    await expect(platform.call(key, 'POST', '/api/v1/screenshot', gone)).rejects.toThrow('422');
    await openVisitor();
    await visitor.open(`/operator/captures?account_id=${id}`, 'Captures');
    await visitor.see(email);
    await visitor.see('The page responded with status 404.');
    expect(await visitor.page.content()).not.toContain('of-its-owner');
    expect(await visitor.accessibilityFaults()).toEqual([]);
    const count = () => visitor.page.$$eval('main tbody tr', (rows) => rows.length);
    expect(await count()).toBe(2);
    await visitor.fill('Search by URL', 'GONE');
    await waitUntil(async () => (await count()) === 1, { what: 'the capture with this URL' });
    await visitor.press('Show all');
    await visitor.choose('Status', 'completed');
    await visitor.press(email, 'link');
    await waitUntil(async () => (await visitor.path()) === `/operator/captures?account_id=${id}`, {
      what: 'its account',
    });
  });
});

describe('deliveries', () => {
  it('that are exhausted are reported, shown, counted and replayed', async () => {
    const key = await platform.register();
    const { id } = await platform.call(key, 'GET', '/api/v1/account');
    platform.receiver.respondWith({ status: 500, body: 'the shelf is full' });
    const webhook_url = `${platform.receiver.url}/shelf`;
    await platform.call(key, 'POST', '/api/v1/screenshot', { url: platform.shop, response_type: 'json', webhook_url });
    const ended = async () => (await asOperator('GET', `/deliveries?account_id=${id}&status=failed`)).deliveries[0];
    await waitUntil(ended, { what: 'the last attempt to fail' });

    await openVisitor();
    await visitor.open('/operator', 'Overview');
    await visitor.see('p95 in the last 5 minutes');
    await visitor.see('A delivery is exhausted');
    const runbook = await visitor.page.$eval('a[href^="/docs/runbook"]', (link) => link.getAttribute('href'));
    expect(runbook).toMatch(/#capturereceiverdown$/);
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await visitor.press('Failed deliveries', 'link');
    await visitor.seeHeading('Deliveries');
    expect(await visitor.path()).toBe('/operator/deliveries?status=failed');
    await visitor.press('capture.completed', 'link');
    await visitor.see('Attempt 6: failed (500)');
    await visitor.see('the shelf is full');
    await visitor.press(await emailOf(key), 'link');
    await visitor.seeHeading('Deliveries');
    expect(await visitor.path()).toBe(`/operator/deliveries?account_id=${id}`);

    platform.receiver.respondWith({ status: 200 });
    const before = platform.receiver.hits.length;
    await visitor.press('Replay deliveries');
    await visitor.see('1 delivery to replay.');
    await visitor.choose('Outcome', 'Delivered only');
    await visitor.see('0 deliveries to replay.');
    await visitor.choose('Outcome', 'Failed only');
    await visitor.press('Replay 1');
    await visitor.see('1 delivery replayed.');
    await waitUntil(() => platform.receiver.hits.length === before + 1, { what: 'the replayed delivery' });
    await visitor.open('/operator', 'Overview');
    await visitor.see('Queued captures');
    await visitor.seeNo('exhausted');
  });
});

describe('the operator pages', () => {
  it('show processes, their activity, and the runs of cleanup jobs', async () => {
    const key = await platform.register();
    await platform.call(key, 'POST', '/api/v1/screenshot', { url: platform.shop, response_type: 'json' });
    await openVisitor();
    await visitor.open('/operator/processes', 'Processes');
    for (const text of ['Gateway', 'Capture worker', '0 of 2 pages', 'Browser', 'Chromium ', '0 of 256 slots']) {
      await visitor.see(text);
    }
    await visitor.press('Activity', 'link');
    await visitor.see('Captures per minute');
    await visitor.page.waitForSelector('main svg .recharts-bar-rectangle path');
    await visitor.page.locator('::-p-aria([name="Show as a table"][role="button"])').click();
    await visitor.page.waitForSelector('main table tbody tr');
    await visitor.press('Cleanup jobs', 'link');
    await visitor.see('Changed endpoints');
    await visitor.see('Replays running');
    await visitor.see('nothing left');
    // The worker looks for lost captures every two seconds.
    await waitUntil(async () => /lost captures.*?2 seconds.*?just now.*?done/s.test(await visitor.text()), {
      what: 'the run of a cleanup job',
    });
  });

  it('show the queues, and the jobs in Redis in a queue browser that obeys its CSP', async () => {
    visitor = await dashboard.newVisitor();
    await visitor.page.goto(`${platform.url}/operator/queues`);
    await visitor.press('Operator sign-in');
    await visitor.fill('Operator key', platform.operatorKey);
    await visitor.press('Sign in');
    await visitor.seeHeading('Queues');
    await visitor.press('Open the queue browser', 'link');
    await visitor.page.waitForFunction(() => location.pathname === '/operator/queues');
    for (const text of ['captures', 'deliveries']) await visitor.see(text);
    await visitor.page.goto(`${platform.url}/operator/queues/queue/captures`);
    await visitor.see('captures');
    expect(await visitor.text()).not.toMatch(/Pause|Empty|Add job/);
  });
});

it('every page is accessible, fits the screen and obeys its CSP, wide and narrow, light and dark', async () => {
  await openVisitor();
  await visitor.open('/operator');
  await visitor.waitUntilLoaded();
  expect(await visitor.layoutFaults()).toEqual([]);
  for (const path of ['/accounts', '/captures', '/deliveries', '/queues', '/processes', '/activity', '/cleanup-jobs']) {
    await visitor.follow(`/operator${path}`);
    await visitor.waitUntilLoaded();
    expect({ path, faults: await visitor.layoutFaults('main') }).toEqual({ path, faults: [] });
  }
}, 400_000);

describe('webhooks of an account', () => {
  let key: string;
  beforeEach(async () => {
    key = await platform.register();
    visitor = await dashboard.newVisitor({ key });
    platform.receiver.respondWith({ status: 200 });
  });

  const register = (path: string) =>
    platform.call(key, 'POST', '/api/v1/webhooks', {
      url: platform.receiver.url + path,
      events: ['capture.completed'],
    });

  const capture = () => platform.call(key, 'POST', '/api/v1/screenshot', { url: platform.shop, response_type: 'json' });

  const hitsOf = (path: string) => platform.receiver.waitForHits(1, { matches: (hit) => hit.path === path });

  describe('their page', () => {
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

  describe('their deliveries', () => {
    it('are listed with every attempt; failed ones are retried one by one, by selection, or replayed by time', async () => {
      platform.receiver.respondWith({ status: 500, body: 'the shelf is full' });
      const { id } = await register('/failing');
      const { request_id } = await capture();
      const hits = () => platform.receiver.hits.filter((hit) => hit.path === '/failing').length;
      const log = () => platform.call(key, 'GET', '/api/v1/webhooks/deliveries');
      await waitUntil(async () => (await log()).deliveries[0]?.status === 'failed', {
        what: 'the last attempt to fail',
      });
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
      await waitUntil(async () => (await visitor.page.$$('main tbody tr')).length === 1, {
        what: 'the failed delivery',
      });
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
});
