import { openTestMailServer } from '@capture/testing/network/mail-server';
import { afterAll, describe, expect, it } from '@jest/globals';
import { setUpDashboard } from './set-up-dashboard.test-support.ts';

const server = await openTestMailServer();
afterAll(() => server.close());
const dashboard = setUpDashboard({ env: { SMTP_URL: server.url, NODE_EXTRA_CA_CERTS: server.authority.file } });

const register = async (email: string): Promise<string> => {
  const response = await fetch(`${dashboard.platform.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  return (await response.json()).apiKey;
};

/** Requests a link in the page, and reads its path and fragment from the mail. */
async function requestLink(email: string): Promise<string> {
  const visitor = await dashboard.newVisitor();
  await visitor.open('/sign-in', 'Capture platform');
  await visitor.press('Lost your key? Get a sign-in link by email');
  await visitor.fill('Email address', email);
  await visitor.press('Send a sign-in link');
  await visitor.see('Check your email');
  expect(await visitor.layoutFaults()).toEqual([]);
  const [mail] = await server.waitForMails(email);
  const link = new URL(/http\S+/.exec(mail.text)?.[0] ?? '');
  return link.pathname.replace('/dashboard', '') + link.hash;
}

describe('a sign-in link', () => {
  it('replaces a lost key: requested, confirmed by a button, and used once', async () => {
    const lost = await register('ada@example.com');
    const path = await requestLink('ada@example.com');
    // This visitor acts as a mail scanner that runs scripts but presses nothing.
    const scanner = await dashboard.newVisitor();
    await scanner.open(path, 'Capture platform');
    await scanner.see('You opened a sign-in link.');

    const visitor = await dashboard.newVisitor();
    const requested: string[] = [];
    visitor.page.on('request', (request) =>
      requested.push(`${request.url().split('#')[0]} ${request.headers().referer}`),
    );
    await visitor.open(path, 'Capture platform');
    await visitor.see('You opened a sign-in link.');
    expect(await visitor.layoutFaults()).toEqual([]);
    await visitor.press('Sign in');
    await visitor.seeHeading('API keys');
    await visitor.see('You are signed in by email');
    expect(await visitor.layoutFaults()).toEqual([]);
    expect(await visitor.page.evaluate(() => location.href)).toBe(`${dashboard.platform.url}/dashboard/keys`);
    expect(requested.join('\n')).not.toContain(path.split('#')[1]);

    await visitor.press('Create a key');
    await visitor.fill('Name', 'Replacement');
    await visitor.press('Create key');
    await visitor.see('Copy your API key now');
    const added = await visitor.textOf('[role="status"] code');
    expect(await dashboard.platform.call(added, 'GET', '/api/v1/account')).toMatchObject({ email: 'ada@example.com' });
    await visitor.press(`Revoke the key that ends in ${lost.slice(-4)}`);
    await visitor.press('Revoke key');
    await visitor.seeNo(lost.slice(-4));
    await expect(dashboard.platform.call(lost, 'GET', '/api/v1/account')).rejects.toThrow('401');
    await visitor.page.reload();
    await visitor.seeHeading('API keys');

    const late = await dashboard.newVisitor();
    await late.open(path, 'Capture platform');
    await late.press('Sign in');
    await late.see('This sign-in link was used before or has expired.');
    expect(await late.layoutFaults()).toEqual([]);
    await late.press('Request a new link', 'link');
    await late.see('Send a sign-in link');
  });

  it('leads to the other ways to sign in', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.open('/sign-in/link#token', 'Capture platform');
    await visitor.press('Other ways to sign in', 'link');
    await visitor.see('Create an account');
  });

  it('reports a missing fragment', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.open('/sign-in/link', 'Capture platform');
    await visitor.see('This link is incomplete.');
    await visitor.press('Request a new link', 'link');
    await visitor.see('Send a sign-in link');
  });
});
