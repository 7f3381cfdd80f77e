import { generateApiKey } from '@capture/contract/api/api-key';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import { perHour } from '../limits/client-limit.ts';
import { operatorKey, startSecondGateway, startTestGateway, type TestGateway } from '../test-gateway.ts';

// The limit is per hour, so it holds however slow the test is.
const atMost = 5;
const wrongKeys = perHour(atMost);

let gateway: TestGateway;
afterEach(() => gateway.close());

const keyPath = '/api/v1/account';
const operatorPath = '/api/operator/queues';

const from = (
  address: string,
  headers: Record<string, string>,
  path = keyPath,
  at: Pick<TestGateway, 'http'> = gateway,
) => at.http.get(path).set({ 'X-Forwarded-For': address, ...headers });

const guesses: [string, string, () => Record<string, string>][] = [
  ['a key with a typo', keyPath, () => ({ 'X-API-Key': 'cap_live_guess' })],
  ['an unknown key', keyPath, () => ({ 'X-API-Key': generateApiKey() })],
  ['an operator key', operatorPath, () => ({ Authorization: 'Bearer a-guess' })],
  [
    'a session',
    keyPath,
    () => ({ Cookie: 'capture_session=a.b.c', 'Sec-Fetch-Site': 'same-origin', 'X-Requested-With': 'dashboard' }),
  ],
];

describe('429 after repeated guesses from one address', () => {
  it.each(guesses)('%s', async (_name, path, guess) => {
    gateway = await startTestGateway('B', { settings: { TRUST_PROXY: 1 }, wrongKeys });
    const key = await gateway.register('guess@example.com');
    for (let i = 0; i < atMost; i++) await from('192.0.2.1', guess(), path).expect(401);
    const refused = await from('192.0.2.1', guess(), path).expect(429);
    expect(refused.body).toMatchObject({ error_code: 'RATE_LIMITED', request_id: refused.headers['x-request-id'] });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['x-ratelimit-retryafter']).toBe(refused.headers['retry-after']);
    // A valid key from the same address still works, and so do guesses from another address.
    await from('192.0.2.1', { 'X-API-Key': key }).expect(200);
    await from('192.0.2.1', { Authorization: `Bearer ${operatorKey}` }, operatorPath).expect(200);
    await from('192.0.2.2', guess(), path).expect(401);
    // A request without a key is not a guess.
    await from('192.0.2.1', {}, path).expect(401);
  });
});

it('does not count an expired session: its browser was signed in', async () => {
  gateway = await startTestGateway('B', { wrongKeys });
  const key = await gateway.register('over@example.com');
  const signedIn = await gateway.http.post('/api/auth/session').send({ api_key: key }).expect(200);
  const [cookie = ''] = signedIn.headers['set-cookie'] as unknown as string[];
  await gateway.database.prisma.session.deleteMany();
  for (let i = 0; i < 2 * atMost; i++) {
    await from('192.0.2.1', { Cookie: cookie.split(';')[0] ?? '', 'Sec-Fetch-Site': 'same-origin' }).expect(401);
  }
});

it('counts across gateways, and an IPv6 subscriber as one client', async () => {
  gateway = await startTestGateway('B', { settings: { TRUST_PROXY: 1 }, wrongKeys });
  const second = await startSecondGateway(gateway, { wrongKeys });
  const guess = { 'X-API-Key': 'cap_live_guess' };
  for (let i = 0; i < atMost; i++) {
    await from(`2001:db8::${i.toString(16)}`, guess, keyPath, i % 2 === 0 ? gateway : second).expect(401);
  }
  for (const at of [gateway, second]) await from('2001:db8::ffff', guess, keyPath, at).expect(429);
  await from('2001:db8:0:1::1', guess, keyPath, second).expect(401);
  await second.close();
});

it('trusts X-Forwarded-For from configured proxies only', async () => {
  gateway = await startTestGateway('B', { wrongKeys });
  const guess = { 'X-API-Key': 'cap_live_guess' };
  for (let i = 0; i < atMost; i++) await from(`192.0.2.${i}`, guess).expect(401);
  await from('192.0.2.200', guess).expect(429);
});

it('looks up no malformed key in the database', async () => {
  gateway = await startTestGateway('B', { wrongKeys });
  await gateway.database.close();
  await from('192.0.2.1', { 'X-API-Key': 'cap_live_guess' }).expect(401);
  await from('192.0.2.1', { 'X-API-Key': generateApiKey() }).expect(500);
});

it('logs the address that it refused, not the key', async () => {
  gateway = await startTestGateway('B', { settings: { TRUST_PROXY: 1 }, wrongKeys });
  const tried = generateApiKey();
  await from('192.0.2.1', { 'X-API-Key': tried }).expect(401);
  await waitUntil(() => gateway.logged.join('').includes('UNAUTHORIZED'), { what: 'the line' });
  expect(gateway.logged.join('')).toContain('192.0.2.1');
  expect(gateway.logged.join('')).not.toContain(tried);
});
