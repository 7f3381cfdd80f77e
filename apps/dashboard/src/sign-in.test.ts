import { describe, expect, it } from '@jest/globals';
import type { VisitOptions, Visitor } from './browser.test-support.ts';
import { setUpDashboard } from './set-up-dashboard.test-support.ts';

const dashboard = setUpDashboard({ services: ['capture-worker'] });
let visitor: Visitor;

const openVisitor = async (options?: VisitOptions) => {
  visitor = await dashboard.newVisitor(options);
};

/** Everything in the page that could contain a key. */
const pageState = () =>
  visitor.page.evaluate(() =>
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
    await openVisitor();
    // The URL that people type.
    await visitor.open('', 'Capture platform');
    await visitor.pick('Create an account');
    await visitor.fill('Email address', 'ada@example.com');
    await visitor.fill('First page to capture', dashboard.platform.shop);
    await visitor.press('Get an API key');
    await visitor.see('Copy your API key now');
    const [key = ''] = /cap_\w+/.exec(await visitor.text()) ?? [];
    expect(await dashboard.platform.call(key, 'GET', '/api/v1/account')).toMatchObject({ email: 'ada@example.com' });
    // The finished capture, and the request that took it.
    await visitor.page.waitForSelector(`img[alt="Capture of ${dashboard.platform.shop}"]`);
    const command = await visitor.textOf('[aria-label="curl request"] pre');
    expect(command).toContain(`export CAPTURE_API_KEY=${key}`);
    expect(command).toContain(dashboard.platform.shop);
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await visitor.press('I saved it: continue to the dashboard');
    await visitor.seeHeading('Playground');
    expect(await pageState()).not.toContain(key);
    expect(await visitor.page.evaluate(() => document.cookie)).toBe('');
    await visitor.page.reload();
    await visitor.seeHeading('Playground');
  });

  it('captures a page that is named later, with a scheme that is added', async () => {
    await openVisitor();
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
    await openVisitor();
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
    expect(await pageState()).not.toContain('cap_live_nonsense');
  });

  it('names who issues a new key where no mail is sent', async () => {
    await openVisitor();
    await visitor.open('/sign-in', 'Capture platform');
    await visitor.see('If you lost your last one, ask the operator of this service for a replacement.');
    expect(await visitor.text()).not.toContain('sign-in link');
  });

  it('returns to the same page after the session has ended', async () => {
    const key = await dashboard.platform.register();
    await openVisitor({ key });
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
    await openVisitor({ key: await dashboard.platform.register() });
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
    await openVisitor({ key });
    await visitor.open('/keys', 'API keys');
    await visitor.press('Create a key');
    await visitor.fill('Name', 'CI');
    await visitor.press('Create key');
    await visitor.see('Copy your API key now');
    const added = await visitor.textOf('[role="status"] code');
    expect(await dashboard.platform.call(added, 'GET', '/api/v1/account')).toHaveProperty('email');
    await visitor.press('I saved it');
    await visitor.seeNo('Copy your API key now');
    expect(await pageState()).not.toContain(added);

    await visitor.press(`Rotate the key that ends in ${key.slice(-4)}`);
    await visitor.choose('Old key', 'Revoke immediately');
    await visitor.press('Rotate key');
    await visitor.see('Copy your API key now');
    const rotated = await visitor.textOf('[role="status"] code');
    expect(rotated).not.toBe(added);
    await expect(dashboard.platform.call(key, 'GET', '/api/v1/account')).rejects.toThrow('401');
    await dashboard.platform.call(rotated, 'GET', '/api/v1/account');

    await visitor.press('Revoke “CI”');
    await visitor.see('stops working everywhere within a second');
    await visitor.press('Revoke key');
    await visitor.seeNo('CI');
    await expect(dashboard.platform.call(added, 'GET', '/api/v1/account')).rejects.toThrow('401');
    await visitor.press(`Revoke the key that ends in ${rotated.slice(-4)}`);
    await visitor.press('Revoke key');
    await visitor.see('The account’s last key cannot be revoked.');
  });
});

describe('an unavailable service', () => {
  it('is reported, with a retry', async () => {
    await openVisitor({ key: await dashboard.platform.register() });
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
