import { describe, expect, it } from '@jest/globals';
import type { VisitOptions, Visitor } from './browser.test-support.ts';
import { givenDashboard } from './given-dashboard.test-support.ts';

const dashboard = givenDashboard();
let visitor: Visitor;

const come = async (options?: VisitOptions) => {
  visitor = await dashboard.come(options);
};

/** Everywhere in the page that a key could be left. */
const leftInPage = () =>
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

describe('the way in', () => {
  it('makes an address a key, which is shown once, works, and is left nowhere in the page', async () => {
    await come();
    // The address that people type.
    await visitor.open('', 'Capture platform');
    await visitor.pick('I am new here');
    await visitor.fill('E-mail address', 'ada@example.com');
    await visitor.press('Get a key');
    await visitor.see('Your API key: copy it now');
    const [key = ''] = /cap_\w+/.exec(await visitor.text()) ?? [];
    expect(await visitor.text()).toContain(`-H 'X-API-Key: ${key}'`);
    expect(await dashboard.platform.call(key, 'GET', '/api/v1/account')).toMatchObject({ email: 'ada@example.com' });
    await visitor.press('I have kept it: go on to the dashboard');
    await visitor.seeHeading('Playground');
    expect(await leftInPage()).not.toContain(key);
    expect(await visitor.page.evaluate(() => document.cookie)).toBe('');
    await visitor.page.reload();
    await visitor.seeHeading('Playground');
  });

  it('tells of an address that has a key already, and of a key that is none', async () => {
    await come();
    await visitor.open('/sign-in', 'Capture platform');
    await visitor.pick('I am new here');
    await visitor.fill('E-mail address', 'ADA@example.com');
    await visitor.press('Get a key');
    await visitor.see('This address is registered already.');
    await visitor.pick('I have a key');
    await visitor.fill('API key', 'cap_live_nonsense');
    await visitor.press('Sign in');
    await visitor.see('This is not a key, or it is no longer one.');
    expect(await visitor.text()).toMatch(/Request req_\w+/);
    expect(await leftInPage()).not.toContain('cap_live_nonsense');
  });

  it('leads whose session has ended back to where they were', async () => {
    const key = await dashboard.platform.register();
    await come({ key });
    await visitor.open('/captures?status=failed', 'Captures');
    await visitor.page.evaluate(() => fetch('/api/auth/session', { method: 'DELETE' }));
    await visitor.press('Usage', 'link');
    await visitor.see('I have a key');
    await visitor.fill('API key', key);
    await visitor.press('Sign in');
    await visitor.seeHeading('Usage');
    expect(await visitor.place()).toBe('/usage');
  });

  it('signs out for good', async () => {
    await come({ key: await dashboard.platform.register() });
    await visitor.open('/keys', 'API keys');
    await visitor.page.locator('::-p-aria([role="button"][name^="Account"]), button[aria-label^="Account"]').click();
    await visitor.press('Sign out', 'menuitem');
    await visitor.see('I have a key');
    await visitor.page.goto(`${dashboard.platform.url}/dashboard/keys`);
    await visitor.see('I have a key');
  });
});

describe('keys', () => {
  it('are added, rotated and revoked; the new one is shown once, and the session goes on with it', async () => {
    const key = await dashboard.platform.register();
    await come({ key });
    await visitor.open('/keys', 'API keys');
    await visitor.press('Add a key');
    await visitor.fill('Name', 'CI');
    await visitor.press('Make the key');
    await visitor.see('Your API key: copy it now');
    const added = await visitor.textOf('[role="status"] code');
    expect(await dashboard.platform.call(added, 'GET', '/api/v1/account')).toHaveProperty('email');
    await visitor.press('I have kept it');
    await visitor.seeNo('Your API key: copy it now');
    expect(await leftInPage()).not.toContain(added);

    await visitor.press(`Rotate the key that ends in ${key.slice(-4)}`);
    await visitor.choose('The former key', 'Stop it at once');
    await visitor.press('Rotate it');
    await visitor.see('Your API key: copy it now');
    const rotated = await visitor.textOf('[role="status"] code');
    expect(rotated).not.toBe(added);
    await expect(dashboard.platform.call(key, 'GET', '/api/v1/account')).rejects.toThrow('401');
    await dashboard.platform.call(rotated, 'GET', '/api/v1/account');

    await visitor.press('Revoke “CI”');
    await visitor.see('It stops within a second');
    await visitor.press('Revoke it');
    await visitor.seeNo('CI');
    await expect(dashboard.platform.call(added, 'GET', '/api/v1/account')).rejects.toThrow('401');
    await visitor.press(`Revoke the key that ends in ${rotated.slice(-4)}`);
    await visitor.press('Revoke it');
    await visitor.see('This is the last key of the account: rotate it instead.');
  });
});

describe('a service that is away', () => {
  it('is told of, and asked again', async () => {
    await come({ key: await dashboard.platform.register() });
    await visitor.open('/captures', 'Captures');
    await visitor.see('Nothing captured yet');
    await visitor.page.setOfflineMode(true);
    await visitor.choose('Status', 'failed');
    await visitor.see('The service could not be reached.');
    await visitor.page.setOfflineMode(false);
    await visitor.press('Try again');
    await visitor.see('No capture is like that');
  });
});
