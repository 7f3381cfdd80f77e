import { isWellFormedApiKey } from '@capture/contract/api/api-key';
import { describe, expect, it } from '@jest/globals';
import { startSharedGateway, startTestGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway();

describe('POST /api/auth/register', () => {
  describe('201', () => {
    it('returns a key of the free plan that works immediately', async () => {
      const { body } = await gateway.http.post('/api/auth/register').send({ email: 'ada@example.com' }).expect(201);
      expect(Object.keys(body).sort()).toEqual(['apiKey', 'createdAt', 'plan']);
      expect(isWellFormedApiKey(body.apiKey)).toBe(true);
      expect(body.plan).toBe('free');
      expect(new Date(body.createdAt).toISOString()).toBe(body.createdAt);
      const { body: account } = await gateway.as(body.apiKey).get('/api/v1/account').expect(200);
      expect(account).toMatchObject({ email: 'ada@example.com', plan: 'free', usage: { used: 0, limit: 200 } });
    });

    it('stores only the hash of the key, and logs no part of it', async () => {
      const apiKey = await gateway.register('hash@example.com');
      const { rows } = await gateway.database.pool.query(
        'SELECT t::text FROM api_key t UNION ALL SELECT t::text FROM account t',
      );
      expect(JSON.stringify(rows)).not.toContain(apiKey.slice(9, -4));
      expect(gateway.logged.join('')).not.toContain(apiKey.slice(9, -4));
    });
  });

  describe('400', () => {
    it.each([
      [{}, 'email'],
      [{ email: 'not-an-email' }, 'email'],
      [{ email: 7 }, 'email'],
      [{ email: `${'a'.repeat(250)}@example.com` }, 'email'],
      [{ email: 'ada@example.com', plan: 'pro' }, 'plan'],
    ])('names the invalid field: %j', async (request, field) => {
      const { body } = await gateway.http.post('/api/auth/register').send(request).expect(400);
      expect(body.error_code).toBe('INVALID_REQUEST');
      expect(body.details.map((detail: { field: string }) => detail.field)).toContain(field);
    });

    it('refuses a body that is not JSON', async () => {
      const sent = gateway.http.post('/api/auth/register').set('Content-Type', 'application/json');
      const { body } = await sent.send('{"email":').expect(400);
      expect(body.error_code).toBe('INVALID_REQUEST');
    });
  });

  describe('409', () => {
    it('refuses a registered email address in any case and with surrounding spaces, and returns no key', async () => {
      await gateway.register('grace@example.com');
      const again = gateway.http.post('/api/auth/register').send({ email: '  GRACE@Example.com ' });
      const { body } = await again.expect(409);
      expect(body.error_code).toBe('EMAIL_TAKEN');
      expect(JSON.stringify(body)).not.toContain('cap_live_');
    });
  });

  describe('413', () => {
    it('refuses a body over 5 MB', async () => {
      const { body } = await gateway.http
        .post('/api/auth/register')
        .send({ email: 'a'.repeat(5_300_000) })
        .expect(413);
      expect(body.error_code).toBe('PAYLOAD_TOO_LARGE');
    });
  });

  describe('415', () => {
    it('refuses a form', async () => {
      const { body } = await gateway.http
        .post('/api/auth/register')
        .type('form')
        .send('email=a@example.com')
        .expect(415);
      expect(body.error_code).toBe('UNSUPPORTED_MEDIA_TYPE');
    });
  });

  describe('429', () => {
    it('after the allowed number from one IP address, with the seconds to wait', async () => {
      const limited = await startTestGateway('B', { settings: { REGISTRATIONS_PER_HOUR: 2, TRUST_PROXY: 1 } });
      const register = (from: string, email: string) =>
        limited.http.post('/api/auth/register').set('X-Forwarded-For', from).send({ email });
      await register('192.0.2.7', 'one@example.com').expect(201);
      await register('192.0.2.7', 'one@example.com').expect(409);
      const refused = await register('192.0.2.7', 'two@example.com').expect(429);
      expect(refused.body.error_code).toBe('RATE_LIMITED');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
      expect(refused.headers['x-ratelimit-retryafter']).toBe(refused.headers['retry-after']);
      await register('192.0.2.8', 'two@example.com').expect(201);
      // An IPv6 subscriber has a /64 of addresses.
      await register('2001:db8:1:2::1', 'three@example.com').expect(201);
      await register('2001:db8:1:2::2', 'four@example.com').expect(201);
      await register('2001:db8:1:2:ffff::3', 'five@example.com').expect(429);
      await limited.close();
    });

    it('regardless of X-Forwarded-For if no proxy is trusted', async () => {
      const limited = await startTestGateway('B', { settings: { REGISTRATIONS_PER_HOUR: 1 } });
      const register = (from: string, email: string) =>
        limited.http.post('/api/auth/register').set('X-Forwarded-For', from).send({ email });
      await register('198.51.100.1', 'one@example.com').expect(201);
      await register('198.51.100.2', 'two@example.com').expect(429);
      await limited.close();
    });
  });
});
