import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { routeTable } from '../route-table.ts';
import { operatorKey, startSharedGateway, startTestWorker } from '../test-gateway.ts';

const gateway = await startSharedGateway();
startTestWorker(gateway, () => 'completed');
const key = await gateway.register('browser@example.com', 'pro');

type Headers = Record<string, string | undefined>;

/** Headers that every response must have; our own pages have a policy that allows only what they need. */
function expectGuarded(where: string, headers: Headers): void {
  const policy = headers['content-security-policy'] ?? '';
  const isPage =
    /^text\/(html|css|javascript)|^image\//.test(headers['content-type'] ?? '') &&
    /^\S+ \/(docs|dashboard|operator\/queues)/.test(where);
  const directives = policy.split(';').map((directive) => directive.trim());
  expect({
    where,
    nosniff: headers['x-content-type-options'],
    frames: headers['x-frame-options'],
    referrer: headers['referrer-policy'],
    nothing: directives.includes("default-src 'none'"),
    unframed: directives.includes("frame-ancestors 'none'"),
    noInlineScript: !/script-src[^;]*unsafe/.test(policy),
    sandboxed: isPage || headers['content-type'] === 'application/pdf' || directives.includes('sandbox'),
    allowsOrigin: Object.keys(headers).filter((name) => name.startsWith('access-control-')),
    poweredBy: headers['x-powered-by'],
  }).toEqual({
    where,
    nosniff: 'nosniff',
    frames: 'DENY',
    referrer: 'no-referrer',
    nothing: true,
    unframed: true,
    noInlineScript: true,
    sandboxed: true,
    allowsOrigin: [],
    poweredBy: undefined,
  });
}

/** An unlikely value for each path parameter. */
const filled = (path: string) => path.replaceAll(/\/:\w+/g, '/none');

describe('every response forbids browsers to run it and other origins to read it', () => {
  it('from every route, with and without a key, and to preflight requests', async () => {
    const seen = new Set<number>();
    for (const { method, path, auth } of routeTable(gateway)) {
      const where = `${method} ${path}`;
      const good = { 'X-API-Key': key, Authorization: `Bearer ${auth === 'operator' ? operatorKey : key}` };
      const origin = { Origin: 'https://evil.example' };
      const send = (sent: string, headers: object) =>
        request(gateway.app)
          [sent.toLowerCase() as 'get'](filled(path))
          .set(headers as Record<string, string>)
          .ok(() => true);
      const preflight = {
        ...origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'x-api-key',
      };
      const responses = [
        ['with a key', await send(method, auth === 'none' ? {} : good)],
        ['without a key', await send(method, origin)],
        ['preflight', await send('OPTIONS', preflight)],
        ['preflight with a key', await send('OPTIONS', { ...good, ...preflight })],
      ] as const;
      for (const [how, { status, headers }] of responses) {
        seen.add(status);
        expectGuarded(`${where} ${how}: ${status}`, headers);
        if (how.startsWith('preflight')) expect([where, status >= 400]).toEqual([where, true]);
      }
    }
    expect([...seen].sort()).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405]));
  });

  it('from an unknown path and from one that cannot be decoded', async () => {
    for (const path of ['/', '/nothing', '/api/nothing', '/files/%ff', '/docs/%']) {
      const { headers, status } = await gateway.http.get(path);
      expectGuarded(`GET ${path}: ${status}`, headers);
    }
  });
});

describe('the file of a capture', () => {
  it.each([
    ['screenshot', 'png', 'image/png'],
    ['pdf', 'pdf', 'application/pdf'],
  ])('is never a page to a browser, from its link or in the response: %s', async (kind, extension, type) => {
    const asked = { url: 'https://example.com/', response_type: 'json' };
    const record = await gateway.as(key).post(`/api/v1/${kind}`).send(asked).expect(200);
    const link = new URL(record.body.file_url);
    const byLink = await gateway.http.get(link.pathname + link.search).expect(200);
    const direct = await gateway.as(key).get(`/api/v1/${kind}?url=https://example.com/`).expect(200);
    for (const [{ headers }, id] of [
      [byLink, record.body.request_id],
      [direct, direct.headers['x-request-id']],
    ] as const) {
      expect(headers['content-type']).toBe(type);
      expect(headers['content-disposition']).toBe(`inline; filename="${id}.${extension}"`);
      expectGuarded(`GET ${kind}`, headers);
    }
  });
});
