import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Visitor } from './browser.test-support.ts';
import { type PlatformUnderTest, startPlatform } from './platform.test-support.ts';
import { setUpDashboard } from './set-up-dashboard.test-support.ts';

// Tests that need only a worker share this file, because a platform takes seconds of processor time to start.
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
    `/captures/${request_id}`,
    '/captures?type=pdf',
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

/** The test loads and checks many pages, which is slow on a loaded machine. */
const timeoutMs = 400_000;

it(
  'every page is accessible, fits the screen and obeys its CSP, wide and narrow, light and dark',
  async () => {
    const visitor = await dashboard.newVisitor({ key });
    const [first = '', ...others] = paths;
    await visitor.open(first);
    await visitor.waitUntilLoaded();
    expect({ first, faults: await visitor.layoutFaults() }).toEqual({ first, faults: [] });
    for (const path of others) {
      await visitor.follow(path);
      await visitor.waitUntilLoaded();
      expect({ path, faults: await visitor.layoutFaults('main') }).toEqual({ path, faults: [] });
    }
    const guest = await dashboard.newVisitor();
    await guest.open('/sign-in');
    expect(await guest.layoutFaults()).toEqual([]);
    await guest.press('Operator sign-in');
    await guest.see('Operator key');
    expect(await guest.layoutFaults()).toEqual([]);
  },
  timeoutMs,
);

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

describe('render links', () => {
  let own: string;
  beforeEach(async () => {
    own = await dashboard.platform.register();
  });
  const call = (method: string, path: string, body?: object) => dashboard.platform.call(own, method, path, body);
  const shownSecret = (visitor: Visitor) => visitor.textOf('[role="alert"] code');

  describe('their page', () => {
    it('creates, rotates and deletes the link secret, and shows it once', async () => {
      const visitor = await dashboard.newVisitor({ key: own });
      await visitor.open('/links', 'Render links');
      await visitor.press('Create secret');
      await visitor.see('Copy your link secret now');
      const first = await shownSecret(visitor);
      expect(first).toMatch(/^lnk_/);
      expect(await visitor.accessibilityFaults()).toEqual([]);
      await visitor.press('Rotate the link secret');
      await visitor.choose('Links of the old secret', 'Keep for a day');
      expect(await visitor.accessibilityFaults()).toEqual([]);
      await visitor.press('Rotate secret');
      await visitor.see('Links of the old secret work until');
      const second = await shownSecret(visitor);
      expect(second).not.toBe(first);
      await visitor.press('I saved it');
      await visitor.seeNo('lnk_');
      expect(
        await visitor.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
      ).not.toContain('lnk_');
      await visitor.press('Delete the link secret');
      await visitor.press('Delete secret');
      await visitor.see('Your account has no link secret');
    });

    it('sets the policy, and shows an error at its field', async () => {
      const visitor = await dashboard.newVisitor({ key: own, size: 'phone', scheme: 'dark' });
      await visitor.open('/links', 'Render links');
      await visitor.fill('Allowed hosts', 'example.com\n*.example.org');
      await visitor.fill('Maximum width', '1920');
      await visitor.fill('Renders per day', '1000');
      await visitor.press('Save policy');
      await visitor.see('It applies to all links now.');
      const policy = { allowed_hosts: ['example.com', '*.example.org'], max_width: 1_920, renders_per_day: 1_000 };
      expect(await call('GET', '/api/v1/links/policy')).toEqual(policy);
      await visitor.fill('Allowed hosts', 'not a host!');
      await visitor.press('Save policy');
      await visitor.see('must be a host such as example.com');
      expect(await visitor.accessibilityFaults()).toEqual([]);
      expect(await visitor.overflow()).toBe(0);
      await visitor.fill('Allowed hosts', ' ');
      await visitor.page.locator('::-p-aria([name="Maximum width"][role="textbox"])').click({ count: 3 });
      await visitor.page.keyboard.press('Backspace');
      await visitor.press('Save policy');
      await visitor.see('It applies to all links now.');
      expect(await call('GET', '/api/v1/links/policy')).toEqual({ renders_per_day: 1_000 });
    });
  });

  describe('the image tag', () => {
    it('of the playground shows the capture, and names missing settings', async () => {
      const visitor = await dashboard.newVisitor({ key: own });
      const values = { url: dashboard.platform.shop, width: 640, height: 480 };
      await visitor.open(
        `/playground#type=screenshot&options=${encodeURIComponent(JSON.stringify(values))}`,
        'Playground',
      );
      await visitor.press('Image tag', 'tab');
      await visitor.see('Links need a link secret.');
      await call('POST', '/api/v1/links/secret');
      await visitor.press('curl', 'tab');
      await visitor.press('Image tag', 'tab');
      await visitor.page.waitForSelector('[aria-label="image tag"] pre');
      expect(await visitor.accessibilityFaults()).toEqual([]);
      const tag = await visitor.textOf('[aria-label="image tag"] pre');
      expect(tag).toMatch(/ width="640" height="480" alt="127\.0\.0\.1:\d+">$/);
      const size = await visitor.page.evaluate(
        async (html) => {
          const part = document.createElement('div');
          part.innerHTML = html;
          document.body.append(part);
          const image = part.querySelector('img') as HTMLImageElement;
          await image.decode();
          return [image.naturalWidth, image.naturalHeight];
        },
        tag.replace(/src="[^"]*\/r\//, 'src="/r/'),
      );
      expect(size).toEqual([640, 480]);
    });

    it('of a capture signs its options, and shows options that the policy excludes', async () => {
      await call('POST', '/api/v1/links/secret');
      const options = { url: dashboard.platform.shop, headers: { 'X-Token': 'opensesame' }, response_type: 'json' };
      const { request_id } = await call('POST', '/api/v1/pdf', options);
      const visitor = await dashboard.newVisitor({ key: own });
      await visitor.open(`/captures/${request_id}`, 'PDF');
      await visitor.press('Copy as link tag');
      await visitor.page.waitForSelector('[aria-label="link tag"] pre');
      await visitor.see('because its viewers would see them: headers.');
      expect(await visitor.textOf('[aria-label="link tag"] pre')).toContain('/pdf.pdf?url=');
      expect(await visitor.accessibilityFaults()).toEqual([]);
      await call('PUT', '/api/v1/links/policy', { allowed_hosts: ['example.com'] });
      await visitor.page.reload();
      await visitor.press('Copy as link tag');
      await visitor.see('does not allow pages of 127.0.0.1');
    });
  });
});

/** Returns all state of the page that could contain a key. */
const pageStateOf = ({ page }: Visitor) =>
  page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map(({ value }) => value),
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
    ]),
  );

describe('sign-in', () => {
  it('creates an account with a key that is shown once, works, and is not kept in the page', async () => {
    const visitor = await dashboard.newVisitor();
    // The empty path is the URL that people type.
    await visitor.open('', 'Capture platform');
    await visitor.pick('Create an account');
    await visitor.fill('Email address', 'ada@example.com');
    await visitor.fill('First page to capture', dashboard.platform.shop);
    await visitor.press('Get an API key');
    await visitor.see('Copy your API key now');
    const [key = ''] = /cap_\w+/.exec(await visitor.text()) ?? [];
    expect(await dashboard.platform.call(key, 'GET', '/api/v1/account')).toMatchObject({ email: 'ada@example.com' });
    // The page shows the finished capture, and the request that took it.
    await visitor.page.waitForSelector(`img[alt="Capture of ${dashboard.platform.shop}"]`);
    const command = await visitor.textOf('[aria-label="curl request"] pre');
    expect(command).toContain(`export CAPTURE_API_KEY=${key}`);
    expect(command).toContain(dashboard.platform.shop);
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await visitor.press('I saved it: continue to the dashboard');
    await visitor.seeHeading('Playground');
    expect(await pageStateOf(visitor)).not.toContain(key);
    expect(await visitor.page.evaluate(() => document.cookie)).toBe('');
    await visitor.page.reload();
    await visitor.seeHeading('Playground');
  });

  it('captures a page that is named later, with a scheme that is added', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.open('/sign-in', 'Capture platform');
    await visitor.pick('Create an account');
    await visitor.fill('Email address', 'grace@example.com');
    await visitor.press('Get an API key');
    await visitor.see('Your capture will appear here');
    await visitor.fill('URL', 'nothing');
    await visitor.press('Capture');
    await visitor.see('“nothing” is not a host on the internet.');
    await visitor.fill('URL', dashboard.platform.shop.replace('http://', ''));
    await visitor.press('Capture');
    await visitor.page.waitForSelector(`img[alt="Capture of ${dashboard.platform.shop}"]`);
  });

  it('reports a registered email address and an invalid key', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.open('/sign-in', 'Capture platform');
    await visitor.pick('Create an account');
    await visitor.fill('Email address', 'ADA@example.com');
    await visitor.press('Get an API key');
    await visitor.see('This email address is already registered.');
    await visitor.pick('Sign in');
    await visitor.fill('API key', 'cap_live_nonsense');
    await visitor.press('Sign in');
    await visitor.see('This key is invalid or has been revoked.');
    expect(await visitor.text()).toMatch(/Request ID req_\w+/);
    expect(await pageStateOf(visitor)).not.toContain('cap_live_nonsense');
  });

  it('says that the operator issues a new key where no mail is sent', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.open('/sign-in', 'Capture platform');
    await visitor.see('If you lost your last one, ask the operator of this service for a replacement.');
    expect(await visitor.text()).not.toContain('sign-in link');
  });

  it('returns to the same page after the session has ended', async () => {
    const key = await dashboard.platform.register();
    const visitor = await dashboard.newVisitor({ key });
    await visitor.open('/captures?status=failed', 'Captures');
    await visitor.page.evaluate(() => fetch('/api/auth/session', { method: 'DELETE' }));
    await visitor.press('Usage', 'link');
    await visitor.see('Create an account');
    await visitor.fill('API key', key);
    await visitor.press('Sign in');
    await visitor.seeHeading('Usage');
    expect(await visitor.path()).toBe('/usage');
  });

  it('signs out', async () => {
    const visitor = await dashboard.newVisitor({ key: await dashboard.platform.register() });
    await visitor.open('/keys', 'API keys');
    await visitor.page.locator('::-p-aria([role="button"][name^="Account"]), button[aria-label^="Account"]').click();
    await visitor.press('Sign out', 'menuitem');
    await visitor.see('Create an account');
    await visitor.page.goto(`${dashboard.platform.url}/dashboard/keys`);
    await visitor.see('Create an account');
  });
});

describe('keys', () => {
  it('are created, rotated and revoked; a new key is shown once, and the session continues with it', async () => {
    const key = await dashboard.platform.register();
    const visitor = await dashboard.newVisitor({ key });
    await visitor.open('/keys', 'API keys');
    await visitor.press('Create a key');
    await visitor.fill('Name', 'Build server');
    await visitor.press('Create key');
    await visitor.see('Copy your API key now');
    const added = await visitor.textOf('[role="status"] code');
    expect(await dashboard.platform.call(added, 'GET', '/api/v1/account')).toHaveProperty('email');
    await visitor.press('I saved it');
    await visitor.seeNo('Copy your API key now');
    expect(await pageStateOf(visitor)).not.toContain(added);

    await visitor.press(`Rotate the key that ends in ${key.slice(-4)}`);
    await visitor.choose('Old key', 'Revoke immediately');
    await visitor.press('Rotate key');
    await visitor.see('Copy your API key now');
    const rotated = await visitor.textOf('[role="status"] code');
    expect(rotated).not.toBe(added);
    await expect(dashboard.platform.call(key, 'GET', '/api/v1/account')).rejects.toThrow('401');
    await dashboard.platform.call(rotated, 'GET', '/api/v1/account');

    await visitor.press('Revoke “Build server”');
    await visitor.see('stops working everywhere within a second');
    await visitor.press('Revoke key');
    await visitor.seeNo('Build server');
    await expect(dashboard.platform.call(added, 'GET', '/api/v1/account')).rejects.toThrow('401');
    await visitor.press(`Revoke the key that ends in ${rotated.slice(-4)}`);
    await visitor.press('Revoke key');
    await visitor.see('The account’s last key cannot be revoked.');
  });
});

describe('an unavailable service', () => {
  it('is reported, with a retry', async () => {
    const visitor = await dashboard.newVisitor({ key: await dashboard.platform.register() });
    await visitor.open('/captures', 'Captures');
    await visitor.see('No captures yet');
    await visitor.page.setOfflineMode(true);
    await visitor.choose('Status', 'failed');
    await visitor.see('The service could not be reached.');
    await visitor.page.setOfflineMode(false);
    await visitor.press('Try again');
    await visitor.see('No matching captures');
  });
});

describe('form A', () => {
  let formA: PlatformUnderTest;
  beforeAll(async () => {
    formA = await startPlatform({ form: 'A' });
  });
  afterAll(() => formA.close());

  it('explains the missing features, and tests any URL', async () => {
    const visitor = await dashboard.newVisitor({ key: await formA.register() }, formA.url);
    await visitor.open('/webhooks', 'Webhooks');
    await visitor.see('keeps no list of endpoints and no delivery log');
    expect(await visitor.text()).not.toContain('Deliveries');
    await visitor.fill('URL', `${formA.receiver.url}/a`);
    await visitor.press('Send');
    await visitor.see('Response: 200');
    await visitor.open('/deliveries', 'Deliveries');
    await visitor.see('This service keeps no delivery log');
  });

  it('describes issues in words to its operator, and has no deliveries', async () => {
    const visitor = await dashboard.newVisitor({ operatorKey: formA.operatorKey }, formA.url);
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
  });
});
