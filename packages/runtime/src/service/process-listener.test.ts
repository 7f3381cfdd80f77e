import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Lifecycle } from '../lifecycle.ts';
import { createMetrics, Gauge, type Registry } from '../metrics/metrics.ts';
import { createLogger } from './log.ts';
import { type ListenerConfig, openProcessListener, type ProcessListenerOptions } from './process-listener.ts';

const key = 'an-operator-key-of-more-than-32-characters';
const log = createLogger('test', { level: 'silent' });
let lifecycle = new Lifecycle(log);

afterEach(async () => {
  await lifecycle.close();
  lifecycle = new Lifecycle(log);
});

async function open(config: Partial<ListenerConfig> = {}, options: Partial<ProcessListenerOptions> = {}) {
  const metrics: Registry = createMetrics('tested');
  const listener = await openProcessListener(
    { METRICS_PORT: 0, METRICS_HOST: '127.0.0.1', OPERATOR_KEY: key, ...config },
    { metrics, needs: {}, lifecycle, log, ...options },
  );
  if (!listener) throw new Error('it does not listen');
  const url = `http://127.0.0.1:${listener.port}`;
  const get = (path: string, authorization?: string) =>
    fetch(url + path, authorization === undefined ? {} : { headers: { authorization } });
  return { listener, metrics, url, get };
}

describe('the listener of a process', () => {
  it('exists only if a port is set', async () => {
    const config = { METRICS_HOST: '127.0.0.1', OPERATOR_KEY: key };
    const options = { metrics: createMetrics('tested'), needs: {}, lifecycle, log };
    expect(await openProcessListener(config, options)).toBeNull();
  });

  it('reports to every client that it is alive, and nothing at other paths', async () => {
    const { get, url } = await open();
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await get('/healthz?x=1')).status).toBe(200);
    for (const path of ['/', '/metrics/', '/healthz/x', '//metrics']) expect((await get(path)).status).toBe(404);
    const posted = await fetch(`${url}/metrics`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is ready while the process is ready and its checks pass, until the process stops', async () => {
    let there = true;
    const needs = {
      browser: () => there,
      database: () => (there ? Promise.resolve(true) : Promise.reject(new Error('unavailable'))),
    };
    const { listener, get } = await open({}, { needs });
    const readiness = async () => {
      const response = await get('/readyz');
      return [response.status, await response.json()];
    };
    expect(await readiness()).toEqual([503, { status: 'starting' }]);
    listener.ready();
    expect(await readiness()).toEqual([200, { status: 'ready', browser: 'ok', database: 'ok' }]);
    there = false;
    expect(await readiness()).toEqual([503, { status: 'not ready', browser: 'unavailable', database: 'unavailable' }]);
    there = true;
    // A resource that opens after the listener closes before it. The listener still responds then, and reports that it is not
    // ready.
    const last: unknown[] = [];
    lifecycle.closing('work', async () => last.push(await readiness()));
    listener.ready();
    await lifecycle.close();
    expect(last).toEqual([[503, { status: 'stopping' }]]);
    await expect(get('/healthz')).rejects.toThrow();
  });

  it('reports a check that hangs as unavailable', async () => {
    const { listener, get } = await open({}, { needs: { database: () => new Promise<boolean>(() => {}) } });
    listener.ready();
    expect((await get('/readyz')).status).toBe(503);
  });

  it.each([
    ['the key', { OPERATOR_KEY: key }],
    ['its digest', { OPERATOR_KEY: undefined, OPERATOR_KEY_SHA256: createHash('sha256').update(key).digest('hex') }],
  ])('shows its metrics to a client with the key, which it knows by %s', async (_, config) => {
    const { get } = await open(config);
    const response = await get('/metrics', `Bearer ${key}`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await response.text()).toMatch(/^capture_build_info\{version="[\d.]+",service="tested"\} 1$/m);
    expect((await get('/metrics', `bearer  ${key}`)).status).toBe(200);
    for (const wrong of [undefined, '', 'Bearer', `Bearer ${key}x`, `Bearer ${key.slice(1)}`, key, `Basic ${key}`]) {
      const refused = await get('/metrics', wrong);
      expect([wrong, refused.status, refused.headers.get('www-authenticate')]).toEqual([wrong, 401, 'Bearer']);
      expect(await refused.text()).not.toContain('capture_build_info');
    }
  });

  it('needs no key on loopback if none is set', async () => {
    const { get } = await open({ OPERATOR_KEY: undefined });
    expect((await get('/metrics')).status).toBe(200);
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', '10.0.0.1', '::ffff:10.0.0.1'])(
    'does not listen on %s without a key',
    async (host) => {
      await expect(open({ METRICS_HOST: host, OPERATOR_KEY: undefined })).rejects.toThrow(
        /^METRICS_HOST: .*OPERATOR_KEY/,
      );
    },
  );

  it('returns 500 without the reason for a scrape that fails', async () => {
    const { metrics, get } = await open();
    const broken = new Gauge({
      name: 'broken',
      help: 'Broken.',
      registers: [metrics],
      collect() {
        throw new Error('postgres://user:hidden@host/db');
      },
    });
    expect(broken).toBeDefined();
    const response = await get('/metrics', `Bearer ${key}`);
    expect([response.status, await response.text()]).toEqual([500, '{"status":"failed"}']);
  });

  it('closes at once, despite open connections', async () => {
    const { listener } = await open();
    const socket = connect(listener.port, '127.0.0.1');
    // The connection breaks in the middle of a request.
    socket.on('error', () => undefined);
    let ended = false;
    socket.on('close', () => {
      ended = true;
    });
    await waitUntil(() => socket.readyState === 'open', { what: 'the connection' });
    socket.write('GET /healthz HTTP/1.1\r\n');
    await lifecycle.close();
    await waitUntil(() => ended, { what: 'the end of the connection' });
  });
});
