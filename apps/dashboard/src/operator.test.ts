import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { VisitOptions, Visitor } from './browser.test-support.ts';
import { type PlatformUnderTest, startPlatform } from './platform.test-support.ts';
import { setUpDashboard } from './set-up-dashboard.test-support.ts';

const dashboard = setUpDashboard({
  services: ['capture-worker', 'webhook-dispatcher'],
  env: { WEBHOOK_RETRY_DELAYS: '10ms,10ms,10ms,10ms,10ms' },
});
let platform: PlatformUnderTest;
let visitor: Visitor;
beforeEach(() => {
  platform = dashboard.platform;
});

const openVisitor = async (options: VisitOptions = {}) => {
  visitor = await dashboard.newVisitor({ operatorKey: platform.operatorKey, ...options });
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

describe('every page', () => {
  it.each([
    { size: 'desktop', scheme: 'light' },
    { size: 'phone', scheme: 'dark' },
  ] as const)('is accessible, fits the screen and obeys its CSP ($size, $scheme)', async (options) => {
    await openVisitor(options);
    const paths = ['', '/accounts', '/captures', '/deliveries', '/queues', '/processes', '/activity', '/cleanup-jobs'];
    for (const path of paths) {
      await visitor.open(`/operator${path}`);
      await visitor.waitUntilLoaded();
      expect({ path, accessibilityFaults: await visitor.accessibilityFaults() }).toEqual({
        path,
        accessibilityFaults: [],
      });
      expect({ path, overflow: await visitor.overflow() }).toEqual({ path, overflow: 0 });
    }
  });
});

it('describes issues in words, and has no deliveries with form A', async () => {
  const formA = await startPlatform({ form: 'A' });
  try {
    visitor = await dashboard.newVisitor({ operatorKey: formA.operatorKey }, formA.url);
    await visitor.open('/operator', 'Overview');
    await visitor.see('2 issues');
    await visitor.see('No capture worker is running');
    await visitor.see('No webhook dispatcher is running');
    await visitor.press('Processes', 'link');
    await visitor.see('Gateway');
    const links = await visitor.page.$$eval('nav a', (anchors) => anchors.map((link) => link.textContent?.trim()));
    expect(links).not.toContain('Deliveries');
    await visitor.open('/operator/deliveries', 'Deliveries');
    await visitor.see('This deployment keeps no delivery log');
  } finally {
    await formA.close();
  }
});
