import { describe, expect, it } from '@jest/globals';
import { operatorKey, startSharedGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway('B', { settings: { PUBLIC_URL: 'https://captures.acme.test' } });

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('200', () => {
  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'text/plain'])(
    'lists the URLs of the service for %s',
    async (accept) => {
      const { body, text, headers } = await gateway.http.get('/').set('Accept', accept).expect(200);
      expect(body).toEqual({
        name: 'Capture platform',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        api: 'https://captures.acme.test/api/v1',
        docs: 'https://captures.acme.test/docs',
        openapi: 'https://captures.acme.test/openapi.json',
        dashboard: 'https://captures.acme.test/dashboard',
        mcp: 'https://captures.acme.test/mcp',
        health: 'https://captures.acme.test/readyz',
      });
      expect(headers.vary).toContain('Accept');
      expect(text).not.toContain(operatorKey);
    },
  );

  it('lists only paths that exist', async () => {
    const { body } = await gateway.http.get('/').expect(200);
    for (const name of ['docs', 'openapi', 'dashboard', 'health']) {
      await gateway.http.get(new URL(body[name]).pathname).expect(200);
    }
    await gateway.http.get(`${new URL(body.api).pathname}/account`).expect(401);
  });
});

describe('302', () => {
  it('redirects a browser to the dashboard, on the host that it used', async () => {
    const { headers } = await gateway.http.get('/?utm_source=mail').set('Accept', browser).expect(302);
    expect(headers.location).toBe('/dashboard');
    expect(headers.vary).toContain('Accept');
    await gateway.http.head('/').set('Accept', browser).expect(302);
  });
});

describe('405', () => {
  it('allows GET only', async () => {
    await gateway.http.post('/').expect(405).expect('Allow', 'GET');
  });
});
