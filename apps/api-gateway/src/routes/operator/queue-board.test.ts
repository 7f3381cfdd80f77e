import { sendHeartbeat } from '@capture/database/captures/worker-heartbeat';
import { enqueueScheduledCaptures } from '@capture/queue/enqueue-captures';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';

const board = '/operator/queues';

const gateway = await startSharedGateway();

describe('the queue browser', () => {
  const get = (path = '') => gateway.asOperator.get(`${board}${path}`);

  it('200: is a page of our own files only, without inline scripts and styles', async () => {
    const { text, headers } = await get()
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    const nonce = /style-src 'self' 'sha256-\S+' 'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '')?.[1];
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'sha256-r2N1TB/gHbBtBZFKg7ejmq1acVSREzucTAEw6ga4hoU=' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers['cache-control']).toBe('no-store');
    expect((await get()).headers['content-security-policy']).not.toContain(nonce);
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|https?:|<script>/);
    const loaded = [...text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(loaded.length).toBeGreaterThan(4);
    for (const file of loaded) {
      const response = await get(`/${file}`).expect(200);
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      await gateway.http.get(`${board}/${file}`).expect(401);
    }
    // The URLs of the page's router serve the same page.
    expect((await get('/queue/captures').expect(200)).text).toContain('id="root"');
  });

  it('200: shows jobs, which carry ids and no secret options', async () => {
    const key = await gateway.register('board@example.com', 'pro');
    const secretOptions = {
      cookies: [{ name: 'injected', value: 'injected-secret' }],
      headers: { 'X-Injected': 'injected-secret' },
    };
    const request = { url: 'https://example.com/?q=injected-secret', async: true, ...secretOptions };
    const { body } = await gateway.as(key).post('/api/v1/screenshot').send(request).expect(202);
    await sendHeartbeat(gateway.database.pool, { id: 'board', pages: 1, captureIds: [] });
    await enqueueScheduledCaptures(gateway.database.pool, gateway.form, gateway.captureQueue);
    const { text } = await get('/api/queues?activeQueue=captures&status=latest&page=1&jobsPerPage=10').expect(200);
    const { queues } = JSON.parse(text);
    expect(queues.map((queue: { name: string }) => queue.name)).toEqual(['captures', 'deliveries']);
    expect(queues[0]).toMatchObject({ readOnlyMode: true, allowRetries: false, counts: { waiting: 1 } });
    const [job] = queues[0].jobs;
    expect(job.data).toMatchObject({ captureId: body.request_id });
    expect(text).not.toContain('injected');
    const one = await get(`/api/queues/captures/${job.id}`).expect(200);
    expect(one.text).toContain(body.request_id);
    expect(one.text).not.toContain('injected');
  });

  it('303: redirects a browser without a session to the sign-in page', async () => {
    for (const path of ['', '/queue/captures']) {
      const response = await gateway.http
        .get(board + path)
        .set('Accept', 'text/html,*/*;q=0.8')
        .expect(303);
      expect(response.headers.location).toBe('/dashboard/operator/queues');
    }
  });

  it("401: with an account's key, or none", async () => {
    const key = await gateway.register('stranger@example.com');
    for (const path of ['', '/static/js/none.js', '/api/queues', '/queue/captures', '/../nothing']) {
      await gateway.http.get(board + path).expect(401);
      await gateway.http
        .get(board + path)
        .set('Authorization', `Bearer ${key}`)
        .expect(401);
    }
  });

  it('404: unknown paths, and files outside the board', async () => {
    for (const path of [
      '/api/nothing',
      '/api/queues/strangers/metrics',
      '/static/nothing.js',
      '/static/..%2findex.ejs',
      '/static/..%2f..%2fpackage.json',
      '/static/.hidden.js',
    ]) {
      const response = await get(path);
      expect([path, response.status, response.body.error_code]).toEqual([path, 404, 'NOT_FOUND']);
    }
  });

  it('405: every method that could change a queue', async () => {
    for (const path of [
      '/api/queues/captures/pause',
      '/api/queues/captures/clean/waiting',
      '/api/queues/captures/add',
    ]) {
      for (const method of ['post', 'put', 'patch', 'delete'] as const) {
        const sent = gateway.asOperator[method](board + path);
        await sent.expect(405).expect('Allow', 'GET');
      }
    }
  });

  it('503: while Redis is unavailable', async () => {
    gateway.redis.disconnect();
    await waitUntil(() => gateway.redis.status !== 'ready', { what: 'the connection to be lost' });
    for (const path of ['', '/api/queues']) {
      const response = await get(path).expect(503);
      expect(response.body.error_code).toBe('OVERLOADED');
      expect(response.headers['retry-after']).toBe('5');
    }
  });
});
