import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionTokens } from '../../auth/session-token.ts';
import {
  operatorKey,
  startSecondGateway,
  startSharedGateway,
  startTestGateway,
  type TestGateway,
} from '../../test-gateway.ts';

const ownPage = { 'Sec-Fetch-Site': 'same-origin' };
const dashboard = { 'X-Requested-With': 'dashboard' };
const secretKey = 'a secret key of more than 32 characters';

const gateway = await startSharedGateway();
const second = await startSecondGateway(gateway);

/** Returns the cookie of a new session, as a browser sends it back. */
async function signIn(body: object, at: Pick<TestGateway, 'http'> = gateway): Promise<string> {
  const response = await at.http.post('/api/auth/session').send(body).expect(200);
  return cookieOf(response);
}

function cookieOf(response: { headers: Record<string, unknown> }): string {
  const [set = ''] = response.headers['set-cookie'] as unknown as string[];
  return set.split(';')[0] ?? '';
}

const read = (
  path: string,
  cookie: string,
  headers: Record<string, string> = ownPage,
  at: Pick<TestGateway, 'http'> = gateway,
) => at.http.get(path).set('Cookie', cookie).set(headers);
const change = (path: string, cookie: string, headers: Record<string, string> = { ...ownPage, ...dashboard }) =>
  gateway.http.post(path).set('Cookie', cookie).set(headers);
const asOperator = (method: 'patch' | 'get', path: string) => gateway.asOperator[method](`/api/operator${path}`);

describe('POST /api/auth/session', () => {
  describe('200', () => {
    it('exchanges a key for a cookie that scripts cannot read and other sites do not send', async () => {
      const key = await gateway.register('cookie@example.com');
      const response = await gateway.http.post('/api/auth/session').send({ api_key: key }).expect(200);
      expect(response.body).toEqual({ role: 'account' });
      const cookies = response.headers['set-cookie'] as unknown as string[];
      expect(cookies).toHaveLength(1);
      const [value = '', ...attributes] = (cookies[0] ?? '').split('; ');
      expect(value).toMatch(/^capture_session=[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(attributes.filter((attribute) => !attribute.startsWith('Expires=')).sort()).toEqual([
        'HttpOnly',
        'Max-Age=43200',
        'Path=/',
        'SameSite=Strict',
      ]);
      expect(response.headers['cache-control']).toBe('no-store');
    });

    it('sets a cookie over https that no subdomain can replace', async () => {
      const https = await startTestGateway('B', { settings: { PUBLIC_URL: 'https://captures.acme.test' } });
      const key = await https.register('https@example.com');
      const response = await https.http.post('/api/auth/session').send({ api_key: key }).expect(200);
      const [cookie = ''] = response.headers['set-cookie'] as unknown as string[];
      expect(cookie).toMatch(/^__Host-capture_session=/);
      expect(cookie).toContain('; Secure');
      expect(cookie).not.toContain('Domain');
      await read('/api/v1/account', cookieOf(response), ownPage, https).expect(200);
      const tossed = cookieOf(response).replace('__Host-', '');
      await read('/api/v1/account', tossed, ownPage, https).expect(401);
      await https.close();
    });

    it('accepts the operator key', async () => {
      const response = await gateway.http.post('/api/auth/session').send({ operator_key: operatorKey }).expect(200);
      expect(response.body).toEqual({ role: 'operator' });
    });

    it('opens a new session each time, and ends the browser’s previous one', async () => {
      const key = await gateway.register('again@example.com');
      const first = await signIn({ api_key: key });
      const response = await gateway.http
        .post('/api/auth/session')
        .set('Cookie', first)
        .set(ownPage)
        .send({ api_key: key })
        .expect(200);
      const next = cookieOf(response);
      expect(next).not.toBe(first);
      await read('/api/v1/account', next).expect(200);
      await read('/api/v1/account', first).expect(401);
    });

    it('never adopts an injected session (session fixation)', async () => {
      const [theirs, mine] = [
        await gateway.register('thief@example.com'),
        await gateway.register('victim@example.com'),
      ];
      const injected = await signIn({ api_key: theirs });
      const response = await gateway.http
        .post('/api/auth/session')
        .set('Cookie', injected)
        .set(ownPage)
        .send({ api_key: mine })
        .expect(200);
      const { body } = await read('/api/v1/account', cookieOf(response)).expect(200);
      expect(body.email).toBe('victim@example.com');
      await read('/api/v1/account', injected).expect(401);
    });

    it('leaves no key in a response, a log or the database', async () => {
      const key = await gateway.register('silent@example.com');
      const response = await gateway.http.post('/api/auth/session').send({ api_key: key }).expect(200);
      const cookie = cookieOf(response);
      const token = cookie.slice(cookie.indexOf('=') + 1);
      await read('/api/v1/account', cookie).expect(200);
      await gateway.http.post('/api/auth/session').send({ operator_key: operatorKey }).expect(200);
      const { rows } = await gateway.database.pool.query('SELECT s::text FROM session s');
      const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
      const kept = `${gateway.logged.join('')} ${JSON.stringify(rows)} ${payload} ${JSON.stringify(response.body)}`;
      for (const secret of [key.slice(9, -4), operatorKey, token.split('.')[2] ?? ''])
        expect(kept).not.toContain(secret);
    });
  });

  describe('400', () => {
    it.each([
      [{}, 'api_key'],
      [{ api_key: 'a', operator_key: 'b' }, 'api_key'],
      [{ api_key: 7 }, 'api_key'],
      [{ operator_key: '' }, 'operator_key'],
      [{ api_key: 'a'.repeat(600) }, 'api_key'],
      [{ api_key: 'a', plan: 'pro' }, 'plan'],
    ])('names the invalid field: %j', async (body, field) => {
      const response = await gateway.http.post('/api/auth/session').send(body).expect(400);
      expect(response.body.details.map((detail: { field: string }) => detail.field)).toContain(field);
      expect(response.headers['set-cookie']).toBeUndefined();
    });

    it('refuses an Idempotency-Key, which would store the response', async () => {
      await gateway.http.post('/api/auth/session').set('Idempotency-Key', 'x').send({}).expect(400);
    });
  });

  it('401: gives no reason', async () => {
    const key = await gateway.register('wrong@example.com');
    const typo = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    const bodies = [{ api_key: typo }, { api_key: operatorKey }, { operator_key: key }, { operator_key: 'x' }];
    const texts = new Set<string>();
    for (const body of bodies) {
      const response = await gateway.http.post('/api/auth/session').send(body).expect(401);
      expect(response.headers['set-cookie']).toBeUndefined();
      texts.add(response.body.error_message);
    }
    expect(texts.size).toBe(1);
  });

  it('403: a suspended account, or another site’s page', async () => {
    const key = await gateway.register('idle@example.com');
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ]) {
      await gateway.http
        .post('/api/auth/session')
        .set(headers as Record<string, string>)
        .send({ api_key: key })
        .expect(403);
    }
    await gateway.database.prisma.account.update({
      where: { email: 'idle@example.com' },
      data: { status: 'suspended' },
    });
    await gateway.http.post('/api/auth/session').send({ api_key: key }).expect(403);
  });

  it('415: a form, which another site could send', async () => {
    await gateway.http.post('/api/auth/session').type('text/plain').send('{"api_key":"x"}').expect(415);
  });

  it('429: after 20 failures from one IP address within an hour on all gateways; successes do not count', async () => {
    const one = await startTestGateway('B', { settings: { TRUST_PROXY: 1 } });
    const two = await startSecondGateway(one);
    const key = await one.register('limit@example.com');
    const from = (address: string, body: object, at: Pick<TestGateway, 'http'> = one) =>
      at.http.post('/api/auth/session').set('X-Forwarded-For', address).send(body);
    for (let i = 0; i < 25; i++) await from('192.0.2.1', { api_key: key }).expect(200);
    for (let i = 0; i < 10; i++) {
      await from('192.0.2.1', { operator_key: `guess ${i}` }).expect(401);
      await from('192.0.2.1', { api_key: `guess ${i}` }, two).expect(401);
    }
    for (const at of [one, two]) {
      const refused = await from('192.0.2.1', { operator_key: 'one more guess' }, at).expect(429);
      expect(refused.body.error_code).toBe('RATE_LIMITED');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
      expect(refused.headers['x-ratelimit-retryafter']).toBe(refused.headers['retry-after']);
    }
    // A valid key still works: its owner may share the address.
    await from('192.0.2.1', { api_key: key }).expect(200);
    await from('192.0.2.1', { operator_key: operatorKey }, two).expect(200);
    await from('192.0.2.2', { api_key: 'one more guess' }).expect(401);
    // Registrations are counted separately.
    await one.http.post('/api/auth/register').set('X-Forwarded-For', '192.0.2.1').send({ email: 'n@b.de' }).expect(201);
    await two.close();
    await one.close();
  });
});

describe('a session instead of a key', () => {
  it('opens every API path for its account on every gateway, but no operator path', async () => {
    const key = await gateway.register('replaced-key@example.com');
    const cookie = await signIn({ api_key: key });
    for (const path of ['/api/v1/account', '/api/v1/keys', '/api/v1/captures', '/api/v1/webhooks', '/api/v1/usage']) {
      await read(path, cookie).expect(200);
      await read(path, cookie, ownPage, second).expect(200);
    }
    const { body, headers } = await read('/api/v1/account', cookie);
    expect(body.email).toBe('replaced-key@example.com');
    expect(headers['x-ratelimit-limit']).toBe('200');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    await read('/api/v1/nothing-here', cookie).expect(404);
    await read('/api/operator/accounts', cookie).expect(401);
    await read('/metrics', cookie).expect(401);
  });

  it('of the operator opens the operator’s paths, but no account’s', async () => {
    const cookie = await signIn({ operator_key: operatorKey });
    await read('/api/operator/accounts', cookie).expect(200);
    await read('/api/operator/queues', cookie, ownPage, second).expect(200);
    await read('/api/v1/account', cookie).expect(401);
    await gateway.register('patched@example.com');
    const { body } = await read('/api/operator/accounts?email=patched@example.com', cookie);
    const path = `/api/operator/accounts/${body.accounts[0].id}/keys`;
    await change(path, cookie, ownPage).expect(403);
    await change(path, cookie).expect(201);
  });

  it('is ignored if the request has a key, even an invalid one', async () => {
    const [mine, other] = [await gateway.register('mine@example.com'), await gateway.register('other@example.com')];
    const cookie = await signIn({ api_key: mine });
    const { body } = await read('/api/v1/account', cookie, { ...ownPage, 'X-API-Key': other }).expect(200);
    expect(body.email).toBe('other@example.com');
    await read('/api/v1/account', cookie, { ...ownPage, 'X-API-Key': 'wrong' }).expect(401);
    await read('/api/v1/account', cookie, { ...ownPage, 'X-API-Key': '' }).expect(401);
    await read('/api/v1/account', cookie, { ...ownPage, Authorization: 'Bearer wrong' }).expect(401);
    await read('/api/v1/account', cookie, { ...ownPage, Authorization: 'Bearer' }).expect(401);
    // A proxy in front may use its own Authorization scheme.
    await read('/api/v1/account', cookie, { ...ownPage, Authorization: 'Basic YTpi' }).expect(200);
  });

  describe('by the calling page', () => {
    let cookie: string;
    let server: Server;
    let host: string;
    beforeAll(async () => {
      cookie = await signIn({ api_key: await gateway.register('pages@example.com', 'pro') });
      server = createServer(gateway.app).listen(0);
      host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it.each([
      ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
      ['a subdomain, or another port', { 'Sec-Fetch-Site': 'same-site' }],
      ['a site that forges our Origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://capture.test' }],
      ['another site, in an old browser', { Origin: 'https://evil.example' }],
      ['a subdomain, in an old browser', { Origin: 'http://evil.capture.test' }],
      ['another port, in an old browser', { Origin: 'http://capture.test:8080' }],
      ['the same host over another scheme', { Origin: 'https://capture.test' }],
      ['a sandboxed frame', { Origin: 'null' }],
      ['an unreadable Origin', { Origin: 'capture.test' }],
    ])('is refused from %s, whatever other headers are sent', async (_, headers) => {
      for (const more of [{}, dashboard]) {
        await read('/api/v1/account', cookie, { ...headers, ...more } as Record<string, string>).expect(401);
        await change('/api/v1/keys', cookie, { ...headers, ...more } as Record<string, string>).expect(401);
      }
    });

    it.each([
      ['Sec-Fetch-Site: same-origin', ownPage],
      ['the public URL as Origin', { Origin: 'http://capture.test' }],
      ['Sec-Fetch-Site: same-origin, at another name than the public one', { ...ownPage, Origin: 'http://10.0.0.7' }],
    ])('is accepted from our page with %s', async (_, headers) => {
      await read('/api/v1/account', cookie, headers as Record<string, string>).expect(200);
      await change('/api/v1/keys', cookie, { ...headers, ...dashboard } as Record<string, string>).expect(201);
    });

    it('is accepted from our page at the host of the request', async () => {
      const get = (origin: string) => fetch(`http://${host}/api/v1/account`, { headers: { cookie, origin } });
      expect((await get(`http://${host}`)).status).toBe(200);
      expect((await get(`http://127.0.0.1:1`)).status).toBe(401);
    });

    it('requires X-Requested-With: dashboard for a change; otherwise 403 and nothing changes', async () => {
      const keys = async () => (await read('/api/v1/keys', cookie)).body.keys.length;
      const before = await keys();
      for (const headers of [ownPage, { Origin: 'http://capture.test' }, {}, { ...ownPage, 'X-Requested-With': 'x' }]) {
        const { body } = await change('/api/v1/keys', cookie, headers as Record<string, string>).expect(403);
        expect(body.error_code).toBe('FORBIDDEN');
      }
      await gateway.http.delete('/api/v1/keys/key_1').set('Cookie', cookie).set(ownPage).expect(403);
      await gateway.http.patch('/api/v1/webhooks/wh_1').set('Cookie', cookie).set(ownPage).expect(403);
      await gateway.http.put('/api/v1/keys').set('Cookie', cookie).set(ownPage).expect(403);
      expect(await keys()).toBe(before);
      await change('/api/v1/keys', cookie, dashboard).expect(201);
      expect(await keys()).toBe(before + 1);
    });

    it('lets an unknown page read, but not use quota', async () => {
      const path = '/api/v1/screenshot?url=https://example.com/&async=true';
      for (const headers of [{}, { 'Sec-Fetch-Site': 'none' }]) {
        await read('/api/v1/account', cookie, headers as Record<string, string>).expect(200);
        await read(path, cookie, headers as Record<string, string>).expect(403);
      }
      expect(await gateway.database.prisma.capture.count()).toBe(0);
      await read(path, cookie, dashboard).expect(202);
      await read(path, cookie, ownPage).expect(202);
    });
  });

  it('is refused if forged, truncated, altered or sent twice', async () => {
    const key = await gateway.register('forged@example.com');
    const cookie = await signIn({ api_key: key });
    const token = cookie.slice(cookie.indexOf('=') + 1);
    const [header, payload] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const row = await gateway.database.prisma.session.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const strange = createSessionTokens('another secret key of more than 32 characters');
    const real = createSessionTokens(secretKey);
    const { id: otherKey } = await gateway.database.prisma.apiKey.findFirstOrThrow({
      where: { id: { not: row.keyId ?? '' } },
    });
    const account = (await read('/api/v1/account', cookie)).body.id;
    const bad = [
      `${none}.${payload}.`,
      `${header}.${payload}`,
      token.slice(0, -1),
      strange.sign({ sessionId: row.id, of: { keyId: row.keyId ?? '' } }),
      // Both the session and the key exist, but they do not belong together.
      real.sign({ sessionId: row.id, of: { keyId: otherKey } }),
      real.sign({ sessionId: row.id, of: 'operator' }),
      real.sign({ sessionId: row.id, of: { accountId: account } }),
      real.sign({ sessionId: 'ses_unknown', of: { keyId: row.keyId ?? '' } }),
    ];
    for (const value of bad) {
      await read('/api/v1/account', `capture_session=${value}`).expect(401);
      await read('/api/operator/accounts', `capture_session=${value}`).expect(401);
    }
    await read('/api/v1/account', `${cookie}; capture_session=x`).expect(401);
    await read('/api/v1/account', `theme=dark; x${cookie}; ${cookie}`).expect(200);
  });

  it('ends when its key is revoked or rotated, or its account suspended', async () => {
    const key = await gateway.register('ends@example.com');
    const add = await gateway.as(key).post('/api/v1/keys').expect(201);
    const [first, revoked] = [await signIn({ api_key: key }), await signIn({ api_key: add.body.apiKey })];
    await gateway.as(key).delete(`/api/v1/keys/${add.body.id}`).expect(204);
    await read('/api/v1/account', revoked, ownPage, second).expect(401);
    await read('/api/v1/account', first, ownPage, second).expect(200);

    const { id } = (await read('/api/v1/account', first)).body;
    await asOperator('patch', `/accounts/${id}`).send({ status: 'suspended' }).expect(200);
    await read('/api/v1/account', first, ownPage, second).expect(403);
    await asOperator('patch', `/accounts/${id}`).send({ status: 'active' }).expect(200);
    await read('/api/v1/account', first).expect(401);
    const again = await signIn({ api_key: key });
    // A change of plan does not end sessions.
    await asOperator('patch', `/accounts/${id}`).send({ plan: 'pro', status: 'active' }).expect(200);
    await read('/api/v1/account', again).expect(200);

    const keys = (await gateway.as(key).get('/api/v1/keys')).body.keys;
    await gateway.as(key).post(`/api/v1/keys/${keys[0].id}/rotate`).expect(201);
    await read('/api/v1/account', again).expect(401);
  });

  it('expires in the database too after its 12 hours', async () => {
    const cookie = await signIn({ api_key: await gateway.register('late@example.com') });
    await gateway.database.pool.query(
      `UPDATE session SET expires_at = now() - interval '1 second' WHERE id = (SELECT max(id) FROM session)`,
    );
    await read('/api/v1/account', cookie).expect(401);
  });

  it('of the operator ends when the operator key changes', async () => {
    const cookie = await signIn({ operator_key: operatorKey });
    const changed = await startSecondGateway(gateway, {
      settings: { OPERATOR_KEY: 'another operator key of 32 characters or more' },
    });
    await read('/api/operator/accounts', cookie).expect(200);
    await read('/api/operator/accounts', cookie, ownPage, changed).expect(401);
  });

  it('survives a rotation of SECRET_KEY while SECRET_KEY_PREVIOUS is set', async () => {
    const cookie = await signIn({ api_key: await gateway.register('rotating@example.com') });
    const SECRET_KEY = 'a new secret key of more than 32 characters';
    const rotating = await startSecondGateway(gateway, { settings: { SECRET_KEY, SECRET_KEY_PREVIOUS: secretKey } });
    const rotated = await startSecondGateway(gateway, { settings: { SECRET_KEY } });
    await read('/api/v1/account', cookie, ownPage, rotating).expect(200);
    await read('/api/v1/account', cookie, ownPage, rotated).expect(401);
  });
});

describe('DELETE /api/auth/session', () => {
  const signOut = (cookie: string, headers: Record<string, string> = ownPage) =>
    gateway.http.delete('/api/auth/session').set('Cookie', cookie).set(headers);

  it('204: ends the session permanently on every gateway, and clears the cookie', async () => {
    const key = await gateway.register('out@example.com');
    const [cookie, other] = [await signIn({ api_key: key }), await signIn({ api_key: key })];
    await read('/api/v1/account', cookie, ownPage, second).expect(200);
    const response = await signOut(cookie).expect(204);
    const [taken = ''] = response.headers['set-cookie'] as unknown as string[];
    expect(taken).toMatch(/^capture_session=;.*Path=\/;.*Expires=Thu, 01 Jan 1970/);
    for (const at of [gateway, second]) {
      await read('/api/v1/account', cookie, ownPage, at).expect(401);
      await read('/api/v1/account', other, ownPage, at).expect(200);
    }
    await signOut(cookie).expect(204);
    await gateway.http.delete('/api/auth/session').expect(204);
  });

  it('204: ends the operator’s session', async () => {
    const cookie = await signIn({ operator_key: operatorKey });
    await signOut(cookie).expect(204);
    await read('/api/operator/accounts', cookie).expect(401);
  });

  it('403: from another site’s page', async () => {
    const cookie = await signIn({ api_key: await gateway.register('stays@example.com') });
    await signOut(cookie, { 'Sec-Fetch-Site': 'same-site' }).expect(403);
    await read('/api/v1/account', cookie).expect(200);
  });

  it('405: names the allowed methods', async () => {
    const { headers } = await gateway.http.get('/api/auth/session').expect(405);
    expect(headers.allow).toBe('POST, DELETE');
  });
});
