import { generateApiKey } from '@capture/contract/api/api-key';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import { perHour } from '../limits/client-limit.ts';
import { operatorKey, startSecondGateway, startTestGateway, type TestGateway } from '../test-gateway.ts';

// Over an hour, so that no test is too slow for the limit to hold.
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
  ['a key that nobody has', keyPath, () => ({ 'X-API-Key': generateApiKey() })],
  ['an operator key', operatorPath, () => ({ Authorization: 'Bearer a-guess' })],
  [
    'a session',
    keyPath,
    () => ({ Cookie: 'capture_session=a.b.c', 'Sec-Fetch-Site': 'same-origin', 'X-Requested-With': 'dashboard' }),
  ],
];

describe('429: guesses of one address within a time', () => {
  it.each(guesses)('%s', async (_name, path, guess) => {
    gateway = await startTestGateway('B', { settings: { TRUST_PROXY: 1 }, wrongKeys });
    const key = await gateway.register('guess@example.com');
    for (let i = 0; i < atMost; i++) await from('192.0.2.1', guess(), path).expect(401);
    const refused = await from('192.0.2.1', guess(), path).expect(429);
    expect(refused.body).toMatchObject({ error_code: 'RATE_LIMITED', request_id: refused.headers['x-request-id'] });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['x-ratelimit-retryafter']).toBe(refused.headers['retry-after']);
    // Whoever has a good key behind the same address goes on, and so does everybody elsewhere.
    await from('192.0.2.1', { 'X-API-Key': key }).expect(200);
    await from('192.0.2.1', { Authorization: `Bearer ${operatorKey}` }, operatorPath).expect(200);
    await from('192.0.2.2', guess(), path).expect(401);
    // Who brings nothing has tried nothing.
    await from('192.0.2.1', {}, path).expect(401);
  });
});

it('does not count a session that is over: whoever has it was signed in', async () => {
  gateway = await startTestGateway('B', { wrongKeys });
  const key = await gateway.register('over@example.com');
  const signedIn = await gateway.http.post('/api/auth/session').send({ api_key: key }).expect(200);
  const [cookie = ''] = signedIn.headers['set-cookie'] as unknown as string[];
  await gateway.database.prisma.session.deleteMany();
  for (let i = 0; i < 2 * atMost; i++) {
    await from('192.0.2.1', { Cookie: cookie.split(';')[0] ?? '', 'Sec-Fetch-Site': 'same-origin' }).expect(401);
  }
});

it('counts on all gateways together, and a subscriber of IPv6 as one', async () => {
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

it('believes X-Forwarded-For of nobody but the proxies that stand in front', async () => {
  gateway = await startTestGateway('B', { wrongKeys });
  const guess = { 'X-API-Key': 'cap_live_guess' };
  for (let i = 0; i < atMost; i++) await from(`192.0.2.${i}`, guess).expect(401);
  await from('192.0.2.200', guess).expect(429);
});

it('asks the database nothing about a key that cannot be one', async () => {
  gateway = await startTestGateway('B', { wrongKeys });
  await gateway.database.close();
  await from('192.0.2.1', { 'X-API-Key': 'cap_live_guess' }).expect(401);
  await from('192.0.2.1', { 'X-API-Key': generateApiKey() }).expect(500);
});

it('says in the log whom it refused, and not what was tried', async () => {
  gateway = await startTestGateway('B', { settings: { TRUST_PROXY: 1 }, wrongKeys });
  const tried = generateApiKey();
  await from('192.0.2.1', { 'X-API-Key': tried }).expect(401);
  await waitUntil(() => gateway.logged.join('').includes('UNAUTHORIZED'), { what: 'the line' });
  expect(gateway.logged.join('')).toContain('192.0.2.1');
  expect(gateway.logged.join('')).not.toContain(tried);
});
