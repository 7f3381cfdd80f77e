import { readdir } from 'node:fs/promises';
import { cancelBatch } from '@capture/database/captures/cancel-batch';
import { cancelCapture } from '@capture/database/captures/cancel-capture';
import { claimCapture, releaseCapture } from '@capture/database/captures/claim-capture';
import { insertBatch } from '@capture/database/captures/insert-batch';
import { encryptSecretOptions } from '@capture/database/captures/secret-options';
import { createEncryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import type { Storage } from '@capture/storage/storage';
import { withClockAhead } from '@capture/testing/clock-ahead';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { unusedPages } from '../worker.test-support.ts';
import { type CaptureJobParts, month, useCaptureJob } from './capture-job.test-support.ts';
import { processCapture } from './process-capture.ts';
import { finishOrRelease } from './running-captures.ts';
import { SlotRelease } from './slot-release.ts';

describe('the capture job', () => {
  const job = useCaptureJob({
    '/page': '<!doctype html><title>A page</title><p>page',
    '/hang': 'hang',
  });
  const { server, worker, submit, find, files, lineOf } = job;
  let parts: CaptureJobParts;
  let database: CaptureJobParts['database'];
  let storage: CaptureJobParts['storage'];
  let accountId: string;
  let dependencies: CaptureJobParts['dependencies'];
  beforeAll(() => {
    parts = job.parts;
    ({ database, storage, accountId, dependencies } = parts);
  });

  /** Returns the account's used and reserved quota. */
  async function usage(): Promise<[number, number]> {
    const row = await database.prisma.usage.findUniqueOrThrow({ where: { accountId_month: { accountId, month } } });
    return [row.used, row.reserved];
  }

  it('renders, stores, records, notifies and logs', async () => {
    const id = await submit(server.url('/page?token=secret#part'), { width: 500, height: 300 });
    await processCapture(dependencies, id);
    const capture = await find(id);
    expect(capture).toMatchObject({
      status: 'completed',
      format: 'png',
      width: 500,
      height: 300,
      storageKey: expect.stringMatching(new RegExp(`^\\d{4}-\\d\\d-\\d\\d/${id.slice(-2)}/${id}-1\\.png$`)),
      errorCode: null,
    });
    expect(await usage()).toEqual([1, 0]);
    const file = await storage.open(capture.storageKey ?? '');
    expect(file?.size).toBe(capture.fileSize);
    file?.stream.destroy();
    // The plan Free keeps files for seven days. The database rounds to whole seconds.
    const days = ((capture.expiresAt?.getTime() ?? 0) - (capture.completedAt?.getTime() ?? 0)) / 86_400_000;
    expect(days).toBeCloseTo(7, 3);
    expect(capture.expiresAt?.getMilliseconds()).toBe(0);
    await waitUntil(() => parts.ended.includes(id), { what: 'the captureEnded signal' });
    expect(lineOf(id)).toMatchObject({
      level: 'info',
      url: server.url('/page'),
      outcome: 'completed',
      attempt: 1,
      tries: 1,
      wait_ended: 'quiet',
      http_status: 200,
      requests: 1,
      egress: { connections: 1, blocked: 0 },
      times: {
        queue: expect.any(Number),
        navigation: expect.any(Number),
        waiting: expect.any(Number),
        image: expect.any(Number),
        storing: expect.any(Number),
        recording: expect.any(Number),
      },
    });
    expect(JSON.stringify(parts.logged)).not.toContain('secret');
    expect(capture.receipt).toMatchObject({
      final_url: server.url('/page'),
      http_status: 200,
      title: 'A page',
      wait: 'quiet',
      requests: { total: 1, failed: 0, blocked: 0 },
    });
    expect(capture.quality).toEqual({ ok: true, reasons: [], repaired: [] });
    for (const ms of Object.values(capture.receipt?.timings ?? {})) expect(ms).toBeGreaterThanOrEqual(0);
    expect(dependencies.running.all).toEqual([]);
  });

  it('a capture that fail_on rejects costs nothing, and keeps its quality', async () => {
    server.serve({ '/broken': { status: 503, body: '<h1>Sorry</h1>' } });
    const before = await usage();
    const id = await submit(server.url('/broken'), { fail_on: ['error_page'] });
    await processCapture(dependencies, id);
    expect(await find(id)).toMatchObject({
      status: 'failed',
      errorCode: 'QUALITY_REJECTED',
      errorMessage: expect.stringContaining('error_page'),
      storageKey: null,
      quality: { ok: false, reasons: ['error_page'], repaired: [] },
      receipt: { http_status: 503, title: '' },
    });
    expect(await usage()).toEqual(before);
    expect(lineOf(id)).toMatchObject({ error_code: 'QUALITY_REJECTED', quality: ['error_page'] });
  });

  it('uses secret options, and keeps them out of rows, receipts and logs', async () => {
    const sent: unknown[] = [];
    server.serve({
      '/secret-options': ({ headers }, response) => {
        sent.push([headers['x-token'], headers.cookie]);
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><p>page');
      },
    });
    const secrets = { headers: { 'X-Token': 'opensesame' }, cookies: [{ name: 'session', value: 'opensesame' }] };
    const id = await submit(server.url('/secret-options'), (own) =>
      encryptSecretOptions(dependencies.encryptor, own, secrets),
    );
    await processCapture(dependencies, id);
    expect(sent).toEqual([['opensesame', 'session=opensesame']]);
    const { options, receipt } = await find(id);
    expect(options).toMatchObject({ headers: { 'X-Token': '***' }, cookies: [{ name: 'session', value: '***' }] });
    expect(JSON.stringify([options, receipt, parts.logged])).not.toContain('opensesame');
  });

  it('renders captures of one account in one page in turn, unless they are personal or ask for isolation, and says so in the receipt', async () => {
    const unusedPagesFor = (options: object, isolation: string) =>
      unusedPages(worker, async () => {
        const id = await submit(server.url('/page'), options);
        await processCapture(dependencies, id);
        expect(await find(id)).toMatchObject({ status: 'completed', receipt: { isolation } });
      });
    expect(await unusedPagesFor({ isolation: 'strict' }, 'strict')).toBe(1);
    await unusedPagesFor({}, 'account');
    expect(await unusedPagesFor({}, 'account')).toBe(0);
    expect(await unusedPagesFor({ headers: { 'X-A': 'b' } }, 'strict')).toBe(1);
    expect(await unusedPagesFor({}, 'account')).toBe(0);
    expect(await unusedPagesFor({ isolation: 'site' }, 'site')).toBe(1);
  });

  it('leaves the last ready page to other accounts while a capture of the account runs', async () => {
    let open = () => {};
    const mayRespond = new Promise<void>((resolve) => (open = resolve));
    server.serve({
      '/waits': async (_, response) => {
        await mayRespond;
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><p>page');
      },
    });
    const pool = worker.pools.on;
    const start = async () => processCapture(dependencies, await submit(server.url('/waits'), { isolation: 'strict' }));
    // One may be made for a capture before.
    const refilled = () => pool.refill().then(() => pool.ready === 1);
    await worker.cells.current('on');
    await waitUntil(refilled, { what: 'a page to be ready' });
    const first = start();
    await waitUntil(() => server.hits('/waits') === 1, { what: 'the first' });
    expect(pool.ready).toBe(0);
    await waitUntil(refilled, { what: 'a page to be ready' });
    const second = start();
    await waitUntil(() => server.hits('/waits') === 2, { what: 'the second' });
    expect(pool.ready).toBe(1);
    open();
    await Promise.all([first, second]);
  });

  it('goes on without its slot when it lasts long', async () => {
    const slotRelease = new SlotRelease(1, { ownMs: 0, tidyMs: 0 });
    let respond = () => {};
    const mayRespond = new Promise<void>((resolve) => (respond = resolve));
    server.serve({
      '/lasts': async (_, response) => {
        await mayRespond;
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><p>page');
      },
    });
    const id = await submit(server.url('/lasts'));
    await processCapture({ ...dependencies, slotRelease }, id);
    respond();
    await slotRelease.whenAllEnded();
    expect((await find(id)).status).toBe('completed');
  });

  it('logs a capture that cannot be recorded, whether or not it has its slot', async () => {
    const id = await submit(server.url('/page'));
    const pool = { query: () => Promise.reject(new Error('Postgres is unavailable')) };
    const away = { ...dependencies, database: { ...database, pool } } as unknown as typeof dependencies;
    await processCapture(away, id);
    const slotRelease = new SlotRelease(1, { ownMs: 0, tidyMs: 0 });
    await processCapture({ ...away, slotRelease }, id);
    await slotRelease.whenAllEnded();
    const lines = parts.logged.filter((line) => line.request_id === id);
    expect(lines.map(({ msg }) => msg)).toEqual(Array(2).fill('a capture was not recorded'));
  });

  it('renders equal captures with cache_ttl_s once, at the same time and later', async () => {
    let open = () => {};
    const mayRespond = new Promise<void>((resolve) => (open = resolve));
    server.serve({
      '/equal': async (_, response) => {
        await mayRespond;
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><p>page');
      },
    });
    const before = await usage();
    const submitEqual = () => submit(server.url('/equal'), { cache_ttl_s: 60 }, Buffer.alloc(32, 1));
    const ids = [await submitEqual(), await submitEqual(), await submitEqual()];
    const processing = Promise.all(ids.map((id) => processCapture(dependencies, id)));
    await waitUntil(() => server.hits('/equal') === 1 && dependencies.running.all.length === 3, {
      what: 'all captures to wait',
    });
    open();
    await processing;
    const later = await submitEqual();
    await processCapture(dependencies, later);
    const cached = await Promise.all([...ids, later].map(async (id) => (await find(id)).cached));
    expect(cached.filter((each) => !each)).toHaveLength(1);
    expect(cached[3]).toBe(true);
    expect(server.hits('/equal')).toBe(1);
    expect(await usage()).toEqual([before[0] + 1, before[1]]);
    expect(dependencies.cacheResults.uses()).toEqual({ hits: 3, renders: 1 });
    expect(dependencies.running.all).toEqual([]);
  });

  it('records times of Postgres, whatever the time on the machine of the worker', async () => {
    const options = { cache_ttl_s: 60 };
    const fingerprint = Buffer.from('a capture that is rendered once.');
    for (const cached of [false, true]) {
      const id = await submit(server.url('/page'), options, fingerprint);
      await withClockAhead(100 * 86_400_000, () => processCapture(dependencies, id));
      const { completedAt, expiresAt, ...capture } = await find(id);
      expect(capture).toMatchObject({ status: 'completed', cached });
      expect(completedAt?.getTime()).toBeGreaterThanOrEqual(capture.startedAt?.getTime() ?? Infinity);
      expect(completedAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
      expect(((expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000).toBeCloseTo(7, 2);
    }
  });

  it('renders all that waited, when the equal capture fails', async () => {
    server.serve({ '/equal-bad': { status: 500, body: 'no' } });
    const equal = () =>
      submit(server.url('/equal-bad'), { cache_ttl_s: 60, fail_on_status: ['5xx'] }, Buffer.alloc(32, 2));
    const ids = [await equal(), await equal(), await equal()];
    await Promise.all(ids.map((id) => processCapture(dependencies, id)));
    for (const id of ids) expect(await find(id)).toMatchObject({ status: 'failed', errorCode: 'HTTP_STATUS' });
    expect(server.hits('/equal-bad')).toBe(3);
  });

  it('fails when secret options were encrypted with another key', async () => {
    const another = createEncryptor('another secret key of more than 32 characters');
    const secrets = { headers: { 'X-Token': 'opensesame' } };
    const id = await submit(server.url('/page'), (own) => encryptSecretOptions(another, own, secrets));
    const before = server.hits();
    await processCapture(dependencies, id);
    expect(await find(id)).toMatchObject({ status: 'failed', errorCode: 'RENDERING_FAILED' });
    expect(server.hits()).toBe(before);
  });

  it('records a failure, which uses no quota', async () => {
    const id = await submit('http://no-such-name.invalid/');
    const [used, reserved] = await usage();
    await processCapture(dependencies, id);
    expect(await find(id)).toMatchObject({
      status: 'failed',
      errorCode: 'NAVIGATION_FAILED',
      errorMessage: 'Could not navigate to the URL: the name no-such-name.invalid could not be resolved.',
      storageKey: null,
      receipt: { final_url: 'http://no-such-name.invalid/', http_status: null, wait: null, tries: 1 },
    });
    expect(await usage()).toEqual([used, reserved - 1]);
    expect(lineOf(id)).toMatchObject({ level: 'info', outcome: 'failed', error_code: 'NAVIGATION_FAILED' });
  });

  it('does nothing for a capture that is cancelled, claimed or unknown', async () => {
    const cancelled = await submit(server.url('/page'));
    await cancelCapture(database.pool, dependencies, cancelled);
    const taken = await submit(server.url('/page'));
    await claimCapture(database.pool, { captureId: taken, workerId: 'another' });
    const hits = server.hits();
    for (const id of [cancelled, taken, 'req_unknown']) await processCapture(dependencies, id);
    expect(server.hits()).toBe(hits);
    expect(await find(cancelled)).toMatchObject({ status: 'cancelled' });
    expect(await find(taken)).toMatchObject({ status: 'processing' });
  });

  it('removes its file and sends no signal when another worker has claimed the capture', async () => {
    const id = await submit(server.url('/page'));
    const before = await files();
    const taking: Storage = {
      ...storage,
      async put(key, bytes) {
        await storage.put(key, bytes);
        // The lease expired, so the capture was requeued, and another worker claimed it.
        await releaseCapture(database.pool, { id, attempt: 1 });
        await claimCapture(database.pool, { captureId: id, workerId: 'another' });
      },
    };
    await processCapture({ ...dependencies, storage: taking }, id);
    expect(await find(id)).toMatchObject({ status: 'processing', storageKey: null });
    expect(await files()).toEqual(before);
    expect(parts.ended).not.toContain(id);
    expect(lineOf(id)).toMatchObject({ outcome: expect.stringMatching(/^superseded/) });
  });

  it('keeps the file when the commit succeeded but its response was lost', async () => {
    const id = await submit(server.url('/page'));
    let losses = 0;
    const pool = Object.create(database.pool, {
      connect: {
        value: async () => {
          const connection = await database.pool.connect();
          const query = connection.query.bind(connection) as (...args: unknown[]) => Promise<unknown>;
          const losing = Object.create(connection, {
            query: {
              value: async (...args: unknown[]) => {
                const result = await query(...args);
                if (args[0] !== 'COMMIT' || losses > 0) return result;
                losses += 1;
                throw new Error('Connection terminated unexpectedly');
              },
            },
            release: { value: connection.release.bind(connection) },
          });
          return losing;
        },
      },
      query: { value: database.pool.query.bind(database.pool) },
    });
    await processCapture({ ...dependencies, database: { pool } }, id);
    expect(losses).toBe(1);
    const capture = await find(id);
    expect(capture.status).toBe('completed');
    expect(await files()).toContain(capture.storageKey);
    await waitUntil(() => parts.ended.includes(id), { what: 'the captureEnded signal' });
  });

  it('fails without using quota when the file cannot be stored', async () => {
    const id = await submit(server.url('/page'));
    const [used] = await usage();
    const full: Storage = {
      ...storage,
      put: () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })),
    };
    await processCapture({ ...dependencies, storage: full }, id);
    expect(await find(id)).toMatchObject({ status: 'failed', errorCode: 'RENDERING_FAILED' });
    expect((await usage())[0]).toBe(used);
    expect(lineOf(id)).toMatchObject({ level: 'warn', err: { message: 'ENOSPC' } });
  });

  it('fails a capture with options that it cannot parse', async () => {
    const id = await submit(server.url('/page'), { width: 'wide' });
    await processCapture(dependencies, id);
    expect(await find(id)).toMatchObject({
      status: 'failed',
      errorCode: 'RENDERING_FAILED',
      errorMessage: 'The page could not be rendered.',
    });
  });

  it('that is cancelled while it runs is abandoned with the next heartbeat: page, connections and slot', async () => {
    const open = new Set<object>();
    server.serve({
      '/endless': (_, response) => {
        open.add(response);
        response.once('close', () => open.delete(response));
      },
    });
    const id = await submit(server.url('/endless'), { timeout_ms: 120_000 });
    const kept = await submit(server.url('/endless?kept'), { timeout_ms: 5_000 });
    const processing = [id, kept].map((each) => processCapture(dependencies, each));
    await waitUntil(() => open.size === 2, { what: 'both pages to load' });
    const before = await usage();
    await cancelCapture(database.pool, dependencies, id, { processing: true });
    await dependencies.running.renewClaims(database, dependencies.workerId, 2);
    await processing[0];
    await waitUntil(() => open.size === 1, { what: 'the connections to be closed' });
    expect(dependencies.running.all.map((capture) => capture.id)).toEqual([kept]);
    expect(await usage()).toEqual([before[0], before[1] - 1]);
    await processing[1];
    expect(await find(id)).toMatchObject({ status: 'cancelled', errorCode: null, receipt: null });
    expect(await find(kept)).toMatchObject({ status: 'failed', errorCode: 'CAPTURE_TIMEOUT' });
  });

  it('of a cancelled batch that runs already is finished', async () => {
    let respond: (() => void) | undefined;
    server.serve({
      '/slow': (_, response) => {
        response.setHeader('content-type', 'text/html');
        respond = () => response.end('<!doctype html><p>page');
      },
    });
    const item = {
      type: 'screenshot' as const,
      url: server.url('/slow'),
      metadata: null,
      fingerprint: Buffer.alloc(32),
    };
    const items = [1, 2].map(() => ({ ...item, id: newId('req'), options: { url: item.url } }));
    const batch = { id: newId('batch'), accountId, webhookUrl: null, month, monthlyLimit: null };
    await insertBatch(database.pool, { ...batch, items });
    const [first, second] = items.map(({ id }) => id) as [string, string];
    const processing = processCapture(dependencies, first);
    await waitUntil(() => respond, { what: 'the page to be requested' });
    expect(await cancelBatch(database.pool, accountId, batch.id)).toMatchObject({ html: [] });
    await dependencies.running.renewClaims(database, dependencies.workerId, 1);
    respond?.();
    await processing;
    expect(await find(first)).toMatchObject({ status: 'completed' });
    expect(await find(second)).toMatchObject({ status: 'cancelled' });
  });

  it('is waited for when the worker stops', async () => {
    const id = await submit(server.url('/hang'), { timeout_ms: 1_000 });
    const processing = processCapture(dependencies, id);
    await waitUntil(() => dependencies.running.all.some((capture) => capture.id === id), {
      what: 'the capture to be running',
    });
    await finishOrRelease(dependencies, 60_000);
    expect(dependencies.running.all).toEqual([]);
    expect(await find(id)).toMatchObject({ status: 'failed', errorCode: 'CAPTURE_TIMEOUT' });
    await processing;
  });

  it('is requeued when that takes too long, and its outcome is then refused', async () => {
    // The capture ends long after its release.
    const id = await submit(server.url('/hang'), { timeout_ms: 5_000 });
    const before = await usage();
    const processing = processCapture(dependencies, id);
    await waitUntil(() => dependencies.running.all.some((capture) => capture.id === id), {
      what: 'the capture to be running',
    });
    await finishOrRelease(dependencies, 10);
    await processing;
    expect(await find(id)).toMatchObject({ status: 'queued', errorCode: null });
    const { lostWorkers } = await database.prisma.capture.findUniqueOrThrow({ where: { id } });
    expect(lostWorkers).toBe(0);
    expect(await usage()).toEqual(before);
  });

  it('leaves no partial files', async () => {
    const names = await readdir(parts.folder, { recursive: true });
    expect(names.filter((name) => name.includes('.part-'))).toEqual([]);
  });

  it('draws a format that is spelled otherwise', async () => {
    const id = await submit(server.url('/page'), { format: 'jpg', width: 200, height: 100 });
    await processCapture(dependencies, id);
    expect(await find(id)).toMatchObject({ status: 'completed', format: 'jpeg' });
  });
});
