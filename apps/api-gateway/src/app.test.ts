import { forms } from '@capture/contract/forms/forms';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { isMetered } from './http/route.ts';
import { routeTable } from './route-table.ts';
import { operatorKey, startSharedGateway, startTestGateway } from './test-gateway.ts';

const gateway = await startSharedGateway();
const key = await gateway.register('pipeline@example.com');

describe('the pipeline', () => {
  describe('401', () => {
    const bad = () => [
      ['no key', {}],
      ['a malformed key', { 'X-API-Key': 'secret' }],
      ['a key with a typo', { 'X-API-Key': `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}` }],
      ['another scheme', { Authorization: `Basic ${key}` }],
      ["the operator's key", { Authorization: `Bearer ${operatorKey}` }],
    ];

    it.each(['/api/v1/account', '/api/v1/screenshot?url=https://example.com', '/api/v1/nothing-here'])(
      'returns 401 without a valid key at %s',
      async (path) => {
        for (const [, headers] of bad()) {
          const response = await gateway.http
            .get(path)
            .set(headers as Record<string, string>)
            .expect(401);
          expect(response.body).toEqual({
            error_code: 'UNAUTHORIZED',
            error_message: expect.any(String),
            request_id: response.headers['x-request-id'],
          });
          expect(response.headers['www-authenticate']).toBe('Bearer');
        }
      },
    );

    it('returns 401 before it reads the body', async () => {
      const response = await gateway.http.post('/api/v1/screenshot').set('Content-Type', 'application/json').send('{"');
      expect(response.status).toBe(401);
    });

    it("returns 401 to an account's key at the operator's paths and the metrics", async () => {
      for (const path of ['/api/operator/accounts', '/api/operator/nothing', '/operator/nothing', '/metrics']) {
        await gateway.http.get(path).expect(401);
        await gateway.http.get(path).set('Authorization', `Bearer ${key}`).expect(401);
      }
    });
  });

  it('accepts the key in either header or the same key in both, and returns 400 for two different keys', async () => {
    await gateway.as(key).get('/api/v1/account').expect(200);
    await gateway.http.get('/api/v1/account').set('Authorization', `bearer ${key}`).expect(200);
    await gateway.as(key).get('/api/v1/account').set('Authorization', `Bearer ${key}`).expect(200);
    const other = await gateway.register('other@example.com');
    const both = gateway.as(key).get('/api/v1/account').set('Authorization', `Bearer ${other}`);
    expect((await both.expect(400)).body.error_code).toBe('INVALID_REQUEST');
  });

  it('returns 403 on every path while the account is suspended', async () => {
    const theirs = await gateway.register('suspended@example.com');
    const change = (status: string) =>
      gateway.database.prisma.account.update({ where: { email: 'suspended@example.com' }, data: { status } });
    await change('suspended');
    const response = await gateway.as(theirs).get('/api/v1/account').expect(403);
    expect(response.body.error_code).toBe('FORBIDDEN');
    await change('active');
    await gateway.as(theirs).get('/api/v1/account').expect(200);
  });

  it('names the path that was probably meant', async () => {
    const inside = await gateway.as(key).get('/api/v1/screenshots').expect(404);
    expect(inside.body.error_message).toBe(
      'There is nothing at this path; did you mean /api/v1/screenshot? /docs lists all paths.',
    );
    for (const path of ['xyz', 'constructor']) {
      const other = await gateway.as(key).get(`/api/v1/${path}`).expect(404);
      expect(other.body.error_message).toBe('There is nothing at this path. /docs lists all paths.');
    }
    for (const path of ['/screenshot', '/api/v2/screenshot']) {
      const { body } = await gateway.http.get(path).expect(404);
      expect(body.error_message).toContain('did you mean /api/v1/screenshot?');
    }
    const outside = await gateway.http.get('/api/operator2').expect(404);
    expect(outside.body.error_message).not.toContain('did you mean');
  });

  it('returns 400 for options in the URL of a request with a body', async () => {
    const { body } = await gateway
      .as(key)
      .post('/api/v1/screenshot?full_page=true')
      .send({ url: 'https://example.com/' });
    expect(body.details).toEqual([{ field: 'full_page', message: 'belongs in the JSON body of a POST' }]);
  });

  it('returns 404 for an unknown path: with a valid key in the API, without one elsewhere', async () => {
    const inside = await gateway.as(key).get('/api/v1/nothing-here').expect(404);
    expect(inside.body.error_code).toBe('NOT_FOUND');
    expect(inside.headers['x-ratelimit-limit']).toBe('200');
    const { headers } = await gateway.http.get('/nothing-here').expect(404);
    expect(headers.link).toBe('</docs/errors#not_found>; rel="help"');
    await gateway.http.get('/%E0%A4%A').expect(404);
    await gateway.as(key).get('/api/v1/captures/%00').expect(400);
    expect((await gateway.http.get('/files/%E0%A4%A')).status).toBeLessThan(500);
  });

  it('returns 405 with the allowed methods; in the API, HEAD is not a GET', async () => {
    const response = await gateway.as(key).put('/api/v1/screenshot').expect(405);
    expect(response.headers.allow).toBe('GET, POST');
    expect(response.body.error_code).toBe('METHOD_NOT_ALLOWED');
    await gateway.as(key).head('/api/v1/screenshot').expect(405);
    await gateway.http.head('/healthz').expect(200);
  });

  it('returns 500 without the cause, and logs the cause', async () => {
    const broken = await startTestGateway();
    await broken.database.close();
    const response = await broken.as(key).get('/api/v1/account').expect(500);
    expect(response.body).toEqual({
      error_code: 'INTERNAL',
      error_message: expect.not.stringMatching(/pool|postgres|sql/i),
      request_id: expect.stringMatching(/^req_/),
    });
    expect(broken.logged.join('')).toContain('"error_code":"INTERNAL"');
    await broken.close();
  });

  it('sends headers that stop a browser from running a response, and allows no other origin', async () => {
    const { headers } = await gateway.as(key).get('/api/v1/account').set('Origin', 'https://evil.example');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('writes one log line per request, without keys, queries or bodies', async () => {
    gateway.logged.length = 0;
    await gateway.as(key).get('/api/v1/keys?cursor=injected-secret');
    await gateway.as(key).post('/api/v1/keys').send({ name: 'injected-secret' });
    const requests = () => gateway.logged.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request');
    // A line is written once its response has been sent.
    await waitUntil(() => requests().length >= 2, { what: 'both lines' });
    const lines = requests();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      method: 'GET',
      route: '/api/v1/keys',
      status: 400,
      account_id: expect.any(String),
    });
    expect(gateway.logged.join('')).not.toContain('injected-secret');
    expect(gateway.logged.join('')).not.toContain(key.slice(9));
  });

  it('is ready with a database, and reports Redis and the workers', async () => {
    const { body } = await gateway.http.get('/readyz').expect(200);
    // Redis counts the connections of all its databases, including other tests' workers.
    expect(body).toEqual({ status: 'ready', database: 'ok', redis: 'ok', workers: expect.any(Number) });
  });

  it('is alive but not ready without a database', async () => {
    const broken = await startTestGateway();
    await broken.database.close();
    await broken.http.get('/readyz').expect(503);
    await broken.http.get('/healthz').expect(200);
    await broken.close();
  });

  it('labels metrics with route names only', async () => {
    await gateway.as(key).get('/api/v1/some/path/of/a/client');
    const { text } = await gateway.asOperator.get('/metrics').expect(200);
    expect(text).toContain('capture_http_requests_total{method="GET",route="/api/v1/*",status="404"');
    expect(text).not.toContain('some/path');
  });
});

describe('the route table', () => {
  it('requires the key that the contract names for each path', () => {
    for (const route of routeTable(gateway)) {
      // Render links bring no key.
      const expected = /^\/(mcp$|(api\/v1|compat)\/(?!.*\/:token\/))/.test(route.path)
        ? 'key'
        : /^(\/api)?\/operator\//.test(route.path) || route.path === '/metrics'
          ? 'operator'
          : 'none';
      expect(`${route.path} ${route.auth}`).toBe(`${route.path} ${expected}`);
    }
  });

  it.each([
    ['A', ['POST /api/v1/webhooks']],
    [
      'B',
      [
        'DELETE /api/v1/webhooks/:id',
        'GET /api/operator/deliveries',
        'GET /api/operator/deliveries/:id',
        'GET /api/operator/deliveries/replay',
        'GET /api/v1/webhooks',
        'GET /api/v1/webhooks/:id',
        'GET /api/v1/webhooks/:id/statistics',
        'GET /api/v1/webhooks/deliveries',
        'GET /api/v1/webhooks/deliveries/:id',
        'PATCH /api/v1/webhooks/:id',
        'POST /api/operator/deliveries/:id/retry',
        'POST /api/operator/deliveries/replay',
        'POST /api/v1/webhooks',
        'POST /api/v1/webhooks/:id/replay',
        'POST /api/v1/webhooks/:id/rotate-secret',
        'POST /api/v1/webhooks/:id/test',
        'POST /api/v1/webhooks/deliveries/:id/retry',
      ],
    ],
  ] as const)('has the webhook and delivery routes of form %s, which cost nothing', (form, expected) => {
    const routes = routeTable({ ...gateway, form: forms[form] }).filter(({ path }) => /webhooks|deliveries/.test(path));
    expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(expected);
    expect(routes.filter(isMetered)).toEqual([]);
  });

  it('lets accounts read and rotate their signing secret in form B only', async () => {
    const secret = await gateway.as(key).get('/api/v1/account/signing-secret').expect(200);
    expect(secret.body.secret).toMatch(/^whsec_/);
    const rotated = await gateway.as(key).post('/api/v1/account/signing-secret').expect(200);
    expect(rotated.body.secret).not.toBe(secret.body.secret);
    const a = await startTestGateway('A');
    const aKey = await a.register('a@example.com');
    await a.as(aKey).get('/api/v1/account/signing-secret').expect(404);
    await a.close();
  });
});
