import { cancelCapture } from '@capture/database/captures/cancel-capture';
import { releaseCapture } from '@capture/database/captures/claim-capture';
import { reserveCapture } from '@capture/database/captures/reserve-capture';
import { withHtmlFile } from '@capture/database/captures/stored-options';
import { newId } from '@capture/database/ids';
import { htmlKey } from '@capture/storage/file-key';
import type { Storage } from '@capture/storage/storage';
import { waitUntil } from '@capture/testing/wait-until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { small } from '../worker.test-support.ts';
import { startBackgroundJobs } from './background-jobs.ts';
import { type CaptureJobParts, month, useCaptureJob } from './capture-job.test-support.ts';
import { processCapture } from './process-capture.ts';

describe('a capture of submitted html', () => {
  const job = useCaptureJob({});
  let parts: CaptureJobParts;
  beforeAll(() => {
    parts = job.parts;
  });

  const page = '<!doctype html><title>Submitted</title><p>page';

  /** Submits a page as the gateway does. */
  async function submit(html = page, more: object = {}): Promise<string> {
    const { database, storage, accountId } = parts;
    const id = newId('req');
    await storage.put(htmlKey(id), Buffer.from(html));
    const options = withHtmlFile({ html, ...more }, htmlKey(id));
    const row = { webhookUrl: null, metadata: null, fingerprint: Buffer.alloc(32), month, monthlyLimit: null };
    await reserveCapture(database.pool, { id, accountId, type: 'screenshot', url: 'about:blank', options, ...row });
    return id;
  }
  const rowOf = async (id: string) => JSON.stringify(await parts.database.prisma.capture.findUnique({ where: { id } }));
  const hasHtml = async (id: string) => (await job.files()).includes(htmlKey(id));

  it('renders the file, which is then removed; the row never holds it', async () => {
    const id = await submit();
    expect(await rowOf(id)).not.toContain('Submitted');
    await processCapture(parts.dependencies, id);
    expect(await job.find(id)).toMatchObject({
      status: 'completed',
      options: { html: '…' },
      receipt: { title: 'Submitted' },
    });
    expect((await job.find(id)).options).toEqual({ html: '…' });
    expect(await hasHtml(id)).toBe(false);
  });

  it('that fails loses the file too', async () => {
    const id = await submit(page, { wait_for_selector: '#none', timeout_ms: 1_000 });
    await processCapture(parts.dependencies, id);
    expect(await job.find(id)).toMatchObject({ status: 'failed', errorCode: 'SELECTOR_NOT_FOUND' });
    expect(await hasHtml(id)).toBe(false);
  });

  it('that reuses the file of an equal capture loses its html', async () => {
    const [first, second] = [await submit(page, { cache_ttl_s: 60 }), await submit(page, { cache_ttl_s: 60 })];
    await processCapture(parts.dependencies, first);
    await processCapture(parts.dependencies, second);
    expect(await job.find(second)).toMatchObject({ status: 'completed', cached: true });
    expect(await hasHtml(second)).toBe(false);
  });

  it('of a previous version, with the page in its row, is rendered, and loses it when it ends', async () => {
    const id = await job.submit('about:blank', { html: page, url: undefined });
    await processCapture(parts.dependencies, id);
    const { status, options, receipt } = await job.find(id);
    expect([status, options, receipt?.title]).toEqual(['completed', { ...small, html: '…' }, 'Submitted']);
    expect(await rowOf(id)).not.toContain('<p>page');
  });

  it('still has the file when it is queued again', async () => {
    const id = await submit();
    const releasing: Storage = {
      ...parts.storage,
      async open(key) {
        await releaseCapture(parts.database.pool, { id, attempt: 1 });
        return parts.storage.open(key);
      },
    };
    await processCapture({ ...parts.dependencies, storage: releasing }, id);
    expect(await job.find(id)).toMatchObject({ status: 'queued' });
    expect(await hasHtml(id)).toBe(true);
    await processCapture(parts.dependencies, id);
    expect(await job.find(id)).toMatchObject({ status: 'completed', receipt: { title: 'Submitted' } });
    expect(await hasHtml(id)).toBe(false);
  });

  it('fails if its file is missing, or the storage cannot be read', async () => {
    const missing = await submit();
    await parts.storage.remove(htmlKey(missing));
    await processCapture(parts.dependencies, missing);
    expect(await job.find(missing)).toMatchObject({
      status: 'failed',
      errorCode: 'RENDERING_FAILED',
      errorMessage: 'The submitted html is missing in the storage.',
    });
    const unreadable = await submit();
    const down: Storage = { ...parts.storage, open: () => Promise.reject(new Error('ECONNREFUSED')) };
    await processCapture({ ...parts.dependencies, storage: down }, unreadable);
    expect(await job.find(unreadable)).toMatchObject({
      status: 'failed',
      errorMessage: 'The submitted html could not be read in the storage.',
    });
    expect(job.lineOf(unreadable)).toMatchObject({ level: 'warn', err: { message: 'ECONNREFUSED' } });
  });

  it('is read again when the storage fails for a moment', async () => {
    const id = await submit();
    let failures = 0;
    const flaky: Storage = {
      ...parts.storage,
      async open(key) {
        if (failures === 1) return parts.storage.open(key);
        failures += 1;
        throw new Error('ECONNRESET');
      },
    };
    await processCapture({ ...parts.dependencies, storage: flaky }, id);
    expect(await job.find(id)).toMatchObject({ status: 'completed', receipt: { title: 'Submitted' } });
  });

  it('that is cancelled while its file is read is abandoned', async () => {
    const id = await submit();
    let isReading = false;
    const hanging: Storage = {
      ...parts.storage,
      open: () => {
        isReading = true;
        return new Promise(() => undefined);
      },
    };
    const processing = processCapture({ ...parts.dependencies, storage: hanging }, id);
    await waitUntil(() => isReading, { what: 'the file to be read' });
    const { database, dependencies } = parts;
    await cancelCapture(database.pool, dependencies, id, { processing: true });
    await dependencies.running.renewClaims(database, dependencies.workerId, 1);
    await processing;
    expect(await job.find(id)).toMatchObject({ status: 'cancelled' });
  });

  it('that fails after three lost workers loses its file', async () => {
    const id = await submit();
    const { database, dependencies } = parts;
    await database.pool.query(
      `UPDATE capture SET status = 'processing', attempt = 3, lost_workers = 2, worker_id = 'lost',
              lease_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    const captureQueue = { add: async () => undefined } as never;
    const jobs = startBackgroundJobs({ ...dependencies, captureQueue });
    await waitUntil(async () => !(await hasHtml(id)), { what: 'the file to be removed', timeoutMs: 10_000 });
    await jobs.stop();
    expect(await job.find(id)).toMatchObject({ status: 'failed', errorCode: 'RENDERING_FAILED' });
  });
});
