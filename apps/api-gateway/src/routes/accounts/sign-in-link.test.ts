import { openTestMailServer } from '@capture/testing/network/mail-server';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startSecondGateway, startSharedGateway, startTestGateway, type TestGateway } from '../../test-gateway.ts';

const ownPage = { 'Sec-Fetch-Site': 'same-origin' };
const dashboard = { ...ownPage, 'X-Requested-With': 'dashboard' };

const server = await openTestMailServer({ user: 'captures', password: 'injected-smtp-password' });
afterAll(() => server.close());
const mailSettings = { SMTP_URL: server.url, TRUST_PROXY: 1 };
const gateway = await startSharedGateway('B', { settings: mailSettings, trustedAuthority: server.authority.cert });
const second = await startSecondGateway(gateway);

let clients = 0;
/** Returns a new client address each time, so that only the tests of limits reach a limit. */
function newClient(): string {
  clients += 1;
  return `192.0.2.${clients}`;
}

const ask = (email: string, from = newClient()) =>
  gateway.http.post('/api/auth/sign-in-link').set('X-Forwarded-For', from).send({ email });

/** Requests a link, and reads its token from the mail. */
async function tokenFor(email: string): Promise<string> {
  const before = server.mails.filter(({ to }) => to.includes(email)).length;
  await ask(email).expect(202);
  const mails = await server.waitForMails(email, before + 1);
  return /#([\w-]{43})/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

const exchange = (link_token: string, at: Pick<TestGateway, 'http'> = gateway) =>
  at.http.post('/api/auth/session').set(ownPage).send({ link_token });

function cookieOf(response: { headers: Record<string, unknown> }): string {
  const [set = ''] = response.headers['set-cookie'] as unknown as string[];
  return set.split(';')[0] ?? '';
}

const read = (path: string, cookie: string) => second.http.get(path).set('Cookie', cookie).set(ownPage);
const isDone = () => gateway.database.prisma.signInLink.count({ where: { dueAt: { not: null } } });

describe('POST /api/auth/sign-in-link', () => {
  it('202: is the same for a registered and an unknown address, and only the registered one gets a mail', async () => {
    await gateway.register('known@example.com');
    const known = await ask('  KNOWN@example.com ').expect(202);
    const unknown = await ask('unknown@example.com').expect(202);
    expect(unknown.body).toEqual(known.body);
    expect(known.body).toEqual({ valid_for_s: 900 });
    const names = (headers: object) => Object.keys(headers).sort();
    expect(names(unknown.headers)).toEqual(names(known.headers));
    await server.waitForMails('known@example.com');
    await waitUntil(async () => (await isDone()) === 0, { what: 'both requests to be handled' });
    expect(server.mails.filter(({ to }) => to.includes('unknown@example.com'))).toEqual([]);
    // No row with the unknown address remains.
    expect(await gateway.database.prisma.signInLink.count({ where: { email: 'unknown@example.com' } })).toBe(0);
  });

  it('202: sends no second mail to an address whose owner has not used a link', async () => {
    await gateway.register('flooded@example.com');
    for (let i = 0; i < 5; i++) await ask('flooded@example.com').expect(202);
    await server.waitForMails('flooded@example.com');
    await waitUntil(async () => (await isDone()) === 0, { what: 'all requests to be handled' });
    expect(server.mails.filter(({ to }) => to.includes('flooded@example.com'))).toHaveLength(1);
  });

  it.each([[{}], [{ email: 'no address' }], [{ email: 'a@example.com\r\nBcc: b@example.com' }], [{ email: 7 }]])(
    '400: names the invalid field: %j',
    async (body) => {
      const response = await gateway.http.post('/api/auth/sign-in-link').send(body).expect(400);
      expect(response.body.details).toEqual([expect.objectContaining({ field: 'email' })]);
    },
  );

  it('404: says what to do where no mail is sent, and is not in the document', async () => {
    const silent = await startTestGateway('A');
    const { body } = await silent.http.post('/api/auth/sign-in-link').send({ email: 'ada@example.com' }).expect(404);
    expect(body).toMatchObject({
      error_code: 'NOT_FOUND',
      error_message: 'This service sends no email. Ask its operator for a new key.',
    });
    const document = await silent.http.get('/openapi.json').expect(200);
    expect(document.body.paths).not.toHaveProperty(['/api/auth/sign-in-link']);
    await silent.close();
    const offered = await gateway.http.get('/openapi.json').expect(200);
    expect(offered.body.paths).toHaveProperty(['/api/auth/sign-in-link']);
  });

  it('429: after ten requests of one client within an hour, whatever the addresses', async () => {
    for (let i = 0; i < 10; i++) await ask(`unknown-${i}@example.com`, '198.51.100.1').expect(202);
    const { body, headers } = await ask('unknown@example.com', '198.51.100.1').expect(429);
    expect(body.error_code).toBe('RATE_LIMITED');
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
    await ask('unknown@example.com', '198.51.100.2').expect(202);
  });
});

it('202: keeps sending to an address that used a link, however many clients request links for other addresses', async () => {
  await gateway.register('regular@example.com');
  await exchange(await tokenFor('regular@example.com')).expect(200);
  const flood = (n: number) => ask(`unknown-${n}@example.com`, `10.${n >> 11}.${(n >> 3) & 255}.${n & 7}`);
  for (let from = 0; from < 1_100; from += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, n) => flood(from + n).expect(202)));
  }
  await tokenFor('regular@example.com');
});

describe('POST /api/auth/session with a link’s token', () => {
  it('200: signs in once, to read the account and to replace a lost key', async () => {
    const lost = await gateway.register('lost@example.com');
    const token = await tokenFor('lost@example.com');
    // A mail scanner opens the page, whose server never sees the token.
    await gateway.http.get('/dashboard/sign-in/link').set('Accept', 'text/html');
    const response = await exchange(token, second).expect(200);
    expect(response.body).toEqual({ role: 'account' });
    const cookie = cookieOf(response);
    expect((await read('/api/v1/account', cookie).expect(200)).body.email).toBe('lost@example.com');
    await exchange(token).expect(401);

    const change = (method: 'post' | 'delete', path: string) =>
      gateway.http[method](path).set('Cookie', cookie).set(dashboard);
    const { body: added } = await change('post', '/api/v1/keys').send({ name: 'New' }).expect(201);
    await gateway.as(added.apiKey).get('/api/v1/account').expect(200);
    const { body } = await read('/api/v1/keys', cookie).expect(200);
    const old = body.keys.find((key: { id: string }) => key.id !== added.id);
    await change('delete', `/api/v1/keys/${old.id}`).expect(204);
    await gateway.as(lost).get('/api/v1/account').expect(401);
    await read('/api/v1/account', cookie).expect(200);
    await gateway.http.delete('/api/auth/session').set('Cookie', cookie).set(ownPage).expect(204);
    await read('/api/v1/account', cookie).expect(401);
  });

  it('200: the session needs the header for changes, counts towards its account, and ends with the next link', async () => {
    await gateway.register('twice@example.com', 'pro');
    const first = cookieOf(await exchange(await tokenFor('twice@example.com')).expect(200));
    await gateway.http.post('/api/v1/keys').set('Cookie', first).set(ownPage).expect(403);
    const path = '/api/v1/screenshot?url=https://example.com/&async=true';
    await gateway.http.get(path).set('Cookie', first).set(dashboard).expect(202);
    const second = cookieOf(await exchange(await tokenFor('twice@example.com')).expect(200));
    await read('/api/v1/account', first).expect(401);
    await read('/api/v1/account', second).expect(200);
    await read('/api/operator/queues', second).expect(401);
  });

  it('401: an unknown, used or expired token, with one text', async () => {
    await gateway.register('late@example.com');
    const token = await tokenFor('late@example.com');
    await gateway.database.pool.query(`UPDATE sign_in_link SET expires_at = now() WHERE email = 'late@example.com'`);
    for (const bad of [token, 'x', token.slice(1)]) {
      const { body, headers } = await exchange(bad).expect(401);
      expect(body.error_message).toBe('This sign-in link was used before or has expired. Request a new one.');
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it('403: another site’s page, or a suspended account, and the link stays valid', async () => {
    await gateway.register('idle@example.com');
    const token = await tokenFor('idle@example.com');
    await gateway.http
      .post('/api/auth/session')
      .set('Sec-Fetch-Site', 'cross-site')
      .send({ link_token: token })
      .expect(403);
    const suspend = (status: string) =>
      gateway.database.prisma.account.update({ where: { email: 'idle@example.com' }, data: { status } });
    await suspend('suspended');
    await exchange(token).expect(403);
    await suspend('active');
    await exchange(token).expect(200);
  });

  it('429: after twenty wrong tokens of one client within an hour', async () => {
    const wrong = () =>
      gateway.http.post('/api/auth/session').set('X-Forwarded-For', '198.51.100.9').send({ link_token: 'guess' });
    for (let i = 0; i < 20; i++) await wrong().expect(401);
    await wrong().expect(429);
  });
});

it('leaves neither token, address nor the server’s password in a log or a response', async () => {
  await gateway.register('silent@example.com');
  const token = await tokenFor('silent@example.com');
  const response = await exchange(token).expect(200);
  await exchange(token).expect(401);
  const { rows } = await gateway.database.pool.query(
    'SELECT l::text FROM sign_in_link l UNION ALL SELECT s::text FROM session s',
  );
  await waitUntil(() => gateway.logged.join('').includes('sent a sign-in link'), { what: 'the log line' });
  const kept = `${gateway.logged.join('')} ${JSON.stringify(rows)} ${JSON.stringify(response.body)}`;
  for (const secret of [token, 'injected-smtp-password']) expect(kept).not.toContain(secret);
  expect(gateway.logged.join('')).not.toContain('silent@example.com');
});
