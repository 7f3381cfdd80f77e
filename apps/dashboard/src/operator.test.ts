import { waitUntil } from '@capture/testing/wait-until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { VisitOptions, Visitor } from './browser.test-support.ts';
import { givenDashboard } from './given-dashboard.test-support.ts';
import { type PlatformUnderTest, startPlatform } from './platform.test-support.ts';

const dashboard = givenDashboard({
  services: ['capture-worker', 'webhook-dispatcher'],
  env: { WEBHOOK_RETRY_DELAYS: '10ms,10ms,10ms,10ms,10ms' },
});
let platform: PlatformUnderTest;
let visitor: Visitor;
beforeEach(() => {
  platform = dashboard.platform;
});

const come = async (options: VisitOptions = {}) => {
  visitor = await dashboard.come({ operatorKey: platform.operatorKey, ...options });
};
const asOperator = (method: string, path: string, body?: object) =>
  platform.call(platform.operatorKey, method, `/api/operator${path}`, body);
const emailOf = async (key: string): Promise<string> => (await platform.call(key, 'GET', '/api/v1/account')).email;

describe('the way in', () => {
  it('is the operator key, which is left nowhere in the page, and leads to what is wrong', async () => {
    visitor = await dashboard.come();
    await visitor.open('/operator/cleanup-jobs', 'Capture platform');
    await visitor.press('I run this service');
    await visitor.fill('Operator key', 'an-operator-key-that-is-not-the-one-here');
    await visitor.press('Sign in');
    await visitor.see('This is not a key, or it is no longer one.');
    await visitor.fill('Operator key', platform.operatorKey);
    await visitor.press('Sign in');
    await visitor.seeHeading('Cleanup jobs');
    await visitor.press('Overview', 'link');
    await visitor.see('All is well');
    const left = await visitor.page.evaluate(() =>
      JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, history.state]),
    );
    expect(left).not.toContain(platform.operatorKey);
    // The customers' pages are not the operator's.
    await visitor.open('/captures', 'Overview');
    expect(await visitor.place()).toBe('/operator');
  });

  it('is closed to accounts', async () => {
    visitor = await dashboard.come({ key: await platform.register() });
    await visitor.open('/operator/accounts', 'Playground');
    expect(await visitor.text()).not.toContain('Cleanup jobs');
  });
});

describe('accounts', () => {
  it('are found, put on another plan, suspended and set active again', async () => {
    const key = await platform.register();
    const email = await emailOf(key);
    await come();
    await visitor.open('/operator/accounts', 'Accounts');
    await visitor.fill('E-mail address', 'nobody@example.com', 'searchbox');
    await visitor.press('Find');
    await visitor.see('Nobody has this address');
    await visitor.fill('E-mail address', email.toUpperCase(), 'searchbox');
    await visitor.press('Find');
    await visitor.press(`Manage ${email}`);
    await visitor.choose('Plan', 'starter');
    await visitor.press('Change the plan');
    await visitor.see('0 of 2,000');
    expect(await platform.call(key, 'GET', '/api/v1/account')).toMatchObject({ plan: 'starter' });
    await visitor.press('Suspend');
    await visitor.press('Suspend it');
    await visitor.press('Set active again');
    await expect(platform.call(key, 'GET', '/api/v1/account')).rejects.toThrow('403');
    await visitor.press('Set it active');
    await visitor.page.locator('::-p-aria([name="Suspend"][role="button"])').wait();
    await platform.call(key, 'GET', '/api/v1/account');
  });

  it('get a key and a secret, each shown this once', async () => {
    const email = await emailOf(await platform.register());
    await come();
    await visitor.open(`/operator/accounts?email=${email}`, 'Accounts');
    await visitor.press(`Manage ${email}`);
    await visitor.press('Issue a key');
    await visitor.press('Issue it');
    await visitor.see('Your new API key: copy it now');
    const key = await visitor.textOf('[role="status"] code');
    expect(await emailOf(key)).toBe(email);
    await visitor.press('I have passed it on');
    expect(await visitor.page.content()).not.toContain(key);
    await visitor.press('Issue a signing secret');
    await visitor.press('Issue it');
    await visitor.see('Your new signing secret: copy it now');
    const secret = await visitor.textOf('[role="status"] code');
    expect(await platform.call(key, 'GET', '/api/v1/account/signing-secret')).toMatchObject({ secret });
    expect(await visitor.barriers()).toEqual([]);
  });

  it('are deleted once their address was typed', async () => {
    const key = await platform.register();
    const email = await emailOf(key);
    await come();
    await visitor.open(`/operator/accounts?email=${email}`, 'Accounts');
    await visitor.press(`Manage ${email}`);
    await visitor.press('Delete');
    await visitor.fill('Type its e-mail address to delete it', 'another@example.com');
    const isClosed = () =>
      visitor.page.$eval(
        '[role="dialog"] form button[type="submit"]',
        (button) => (button as HTMLButtonElement).disabled,
      );
    expect(await isClosed()).toBe(true);
    await visitor.fill('Type its e-mail address to delete it', email);
    await visitor.press('Delete it');
    await visitor.see('Nobody has this address');
    await expect(platform.call(key, 'GET', '/api/v1/account')).rejects.toThrow('401');
  });
});

describe('deliveries', () => {
  it('that were given up are told of, looked at, counted and sent again', async () => {
    const key = await platform.register();
    const { id } = await platform.call(key, 'GET', '/api/v1/account');
    platform.receiver.respondWith({ status: 500, body: 'the shelf is full' });
    const webhook_url = `${platform.receiver.url}/shelf`;
    await platform.call(key, 'POST', '/api/v1/screenshot', { url: platform.shop, response_type: 'json', webhook_url });
    const ended = async () => (await asOperator('GET', `/deliveries?account_id=${id}&status=failed`)).deliveries[0];
    await waitUntil(ended, { what: 'the last attempt to fail' });

    await come();
    await visitor.open('/operator', 'Overview');
    await visitor.see('A delivery was given up');
    await visitor.see('What to do: docs/runbook.md, CaptureReceiverDown');
    expect(await visitor.barriers()).toEqual([]);
    await visitor.press('Failed deliveries', 'link');
    await visitor.seeHeading('Deliveries');
    expect(await visitor.place()).toBe('/operator/deliveries?status=failed');
    await visitor.press('capture.completed', 'link');
    await visitor.see('Attempt 6: http_5xx (500)');
    await visitor.see('the shelf is full');
    await visitor.press(id, 'link');
    await visitor.seeHeading('Deliveries');
    expect(await visitor.place()).toBe(`/operator/deliveries?account_id=${id}`);

    platform.receiver.respondWith({ status: 200 });
    const before = platform.receiver.hits.length;
    await visitor.press('Send many again');
    await visitor.see('1 delivery would go out again.');
    await visitor.choose('Outcome', 'Only those that were delivered');
    await visitor.see('0 deliveries would go out again.');
    await visitor.choose('Outcome', 'Only those that failed');
    await visitor.press('Send 1 again');
    await visitor.see('1 delivery goes out again.');
    await waitUntil(() => platform.receiver.hits.length === before + 1, { what: 'it to come again' });
    await visitor.open('/operator', 'Overview');
    await visitor.see('Captures waiting');
    await visitor.seeNo('given up');
  });
});

describe('what there is to see', () => {
  it('is who is there, what they do, and when the cleanup jobs ran', async () => {
    const key = await platform.register();
    await platform.call(key, 'POST', '/api/v1/screenshot', { url: platform.shop, response_type: 'json' });
    await come();
    await visitor.open('/operator/processes', 'Processes');
    for (const text of [
      'Gateway',
      'Capture worker',
      '0 of 2 pages',
      'Its browser',
      'HeadlessChrome/',
      '0 of 256 places',
    ]) {
      await visitor.see(text);
    }
    await visitor.press('Activity', 'link');
    await visitor.see('Captures in a minute');
    await visitor.page.waitForSelector('main svg .recharts-bar-rectangle path');
    await visitor.page.locator('::-p-aria([name="Show as a table"][role="button"])').click();
    await visitor.page.waitForSelector('main table tbody tr');
    await visitor.press('Cleanup jobs', 'link');
    // The worker looks for lost captures every two seconds.
    await waitUntil(async () => /lost captures.*?2 seconds.*?just now.*?done/s.test(await visitor.text()), {
      what: 'the run of a cleanup job',
    });
  });

  it('is the queues, and what Redis holds of them, in a browser of its own that obeys its policy', async () => {
    visitor = await dashboard.come();
    await visitor.page.goto(`${platform.url}/operator/queues`);
    await visitor.press('I run this service');
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
  ] as const)('keeps no one out, fits and obeys its own policy ($size, $scheme)', async (options) => {
    await come(options);
    const places = ['', '/accounts', '/deliveries', '/queues', '/processes', '/activity', '/cleanup-jobs'];
    for (const place of places) {
      await visitor.open(`/operator${place}`);
      await visitor.waitUntilLoaded();
      expect({ place, barriers: await visitor.barriers() }).toEqual({ place, barriers: [] });
      expect({ place, overflow: await visitor.overflow() }).toEqual({ place, overflow: 0 });
    }
  });
});

it('says in words what is wrong, and has no deliveries where form A keeps none', async () => {
  const formA = await startPlatform({ form: 'A' });
  try {
    visitor = await dashboard.come({ operatorKey: formA.operatorKey }, formA.url);
    await visitor.open('/operator', 'Overview');
    await visitor.see('2 things are not right');
    await visitor.see('No capture worker is there');
    await visitor.see('No webhook dispatcher is there');
    await visitor.press('Processes', 'link');
    await visitor.see('Gateway');
    const links = await visitor.page.$$eval('nav a', (all) => all.map((link) => link.textContent?.trim()));
    expect(links).not.toContain('Deliveries');
    await visitor.open('/operator/deliveries', 'Deliveries');
    await visitor.see('This deployment keeps no delivery log');
  } finally {
    await formA.close();
  }
});
