import { createAccount } from '@capture/database/accounts/accounts';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { createLogger } from '@capture/runtime/service/log';
import { openMailServer } from '@capture/runtime/smtp';
import { createTestDatabase } from '@capture/testing/database';
import { openTestMailServer, type TestMailServer } from '@capture/testing/network/mail-server';
import { findOwnPort } from '@capture/testing/network/own-port';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, expect, it } from '@jest/globals';
import { createMailCounter, startMailSender } from './mail-sender.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const publicUrl = 'https://captures.acme.test';

async function open(smtpUrl: string, ca: string, retries: readonly number[] = [0.1, 0.1, 0.1]) {
  const testDatabase = await createTestDatabase();
  closings.push(() => testDatabase.drop());
  const database = openDatabase({ url: testDatabase.url });
  closings.push(() => database.close());
  const logged: string[] = [];
  const log = createLogger('test', { destination: { write: (line: string) => void logged.push(line) } });
  const metrics = createMetrics('api-gateway');
  const parts = { database, server: openMailServer(smtpUrl, { ca }), from: 'no-reply@acme.test', publicUrl, log };
  const sender = startMailSender({ ...parts, mails: createMailCounter(metrics), retries });
  closings.push(() => sender.stop());
  const register = async (email: string) => {
    const account = { id: newId('acc'), email, signingSecret: '', createdAt: new Date() };
    await createAccount(database, account);
    return account.id;
  };
  /** The number of mails with this outcome. */
  const countOf = async (outcome: string) =>
    Number(
      new RegExp(`^capture_mails_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\d+)`, 'm').exec(
        await metrics.metrics(),
      )?.[1],
    );
  return { database, sender, register, logged, countOf };
}

async function openServer(options?: Parameters<typeof openTestMailServer>[0]): Promise<TestMailServer> {
  const server = await openTestMailServer(options);
  closings.push(() => server.close());
  return server;
}

it('sends a mail again, once, that the server did not accept at first', async () => {
  const port = await findOwnPort();
  const server = await openServer({ port, user: 'captures', password: 'injected-password' });
  await server.close();
  closings.pop();
  const { sender, register, logged, countOf } = await open(server.url, server.authority.cert, Array(50).fill(0.2));
  await register('ada@example.com');
  await sender.requestLink('ada@example.com');
  await waitUntil(() => logged.join('').includes('ECONNREFUSED'), { what: 'a failed try' });
  await sender.requestLink('ada@example.com');
  const back = await openServer({ port, user: 'captures', password: 'injected-password', authority: server.authority });
  await back.waitForMails('ada@example.com');
  await waitUntil(async () => (await countOf('sent')) === 1, { what: 'the outcome' });
  await sender.stop();
  expect(back.mails).toHaveLength(1);
  expect(logged.join('')).not.toMatch(/injected-password|ada@example\.com/);
});

it('does not send a mail again that may have arrived, or that was refused for good', async () => {
  const server = await openServer();
  const { sender, register, database, countOf } = await open(server.url, server.authority.cert);
  await register('ada@example.com');
  await register('bea@example.com');
  server.replyWith('end after the mail');
  await sender.requestLink('ada@example.com');
  await waitUntil(async () => (await countOf('unclear')) === 1, { what: 'the outcome' });
  server.replyWith({ status: 550 });
  await sender.requestLink('bea@example.com');
  await waitUntil(async () => (await countOf('refused')) === 1, { what: 'the outcome' });
  expect(await database.prisma.signInLink.count({ where: { dueAt: null } })).toBe(2);
  server.replyWith('accept');
  // These requests count: the next request of an unverified address sends nothing.
  await sender.requestLink('ada@example.com');
  await sender.requestLink('bea@example.com');
  await waitUntil(async () => (await database.prisma.signInLink.count()) === 2, { what: 'the requests to be dropped' });
  expect(server.mails).toHaveLength(1);
});

it('stops after the last try, and deletes the request', async () => {
  const { sender, register, database, logged } = await open(`smtp://127.0.0.1:${await findOwnPort()}`, '', [0.1]);
  await register('ada@example.com');
  await sender.requestLink('ada@example.com');
  await waitUntil(async () => (await database.prisma.signInLink.count()) === 0, {
    what: 'the last try',
    timeoutMs: 60_000,
  });
  expect(logged.filter((line) => line.includes('could not send a sign-in link'))).toHaveLength(2);
});

it('does not wait for a server that hangs', async () => {
  const server = await openServer();
  const { sender, register } = await open(server.url, server.authority.cert);
  server.replyWith('hang');
  await register('slow@example.com');
  await sender.requestLink('slow@example.com');
  await server.waitForRecipient('slow@example.com');
  server.replyWith('accept');
  await register('ada@example.com');
  await sender.requestLink('ada@example.com');
  await server.waitForMails('ada@example.com');
});

it('sends text and HTML that say what the link does, with the token in the fragment only', async () => {
  const server = await openServer();
  const { sender, register } = await open(server.url, server.authority.cert);
  await register('ada@example.com');
  await sender.requestLink('ada@example.com');
  const [mail] = await server.waitForMails('ada@example.com');
  expect(mail.headers).toContain('Subject: Sign in to captures.acme.test');
  expect(mail.headers).toContain('From: no-reply@acme.test');
  const link = /https:\S+/.exec(mail.text)?.[0] ?? '';
  expect(link).toMatch(/^https:\/\/captures\.acme\.test\/dashboard\/sign-in\/link#[\w-]{43}$/);
  expect(mail.html).toContain(`<a href="${link}"`);
  expect(mail.text).toContain('It works once, within 15 minutes.');
  expect(mail.text).toContain('Then ignore this mail');
});
