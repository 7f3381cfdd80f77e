import { cancelCapture } from '@capture/database/captures/cancel-capture';
import { releaseFile } from '@capture/database/captures/release-files';
import { removeCaptureFiles } from '@capture/storage/many-files';
import type { Storage } from '@capture/storage/storage';
import { describe, expect, it } from '@jest/globals';
import { useCaptureJob } from './capture-job.test-support.ts';
import { processCapture } from './process-capture.ts';
import { removeOrphans } from './remove-orphans.ts';

describe('the job of a capture with outputs', () => {
  const job = useCaptureJob({ '/page': '<!doctype html><title>A page</title><h1>Page</h1><p>of a few words.' });
  const { server, submit, find, files } = job;
  const outputs = [
    { kind: 'pdf' },
    { kind: 'markdown', name: 'words' },
    { kind: 'screenshot', width: 400, height: 300 },
  ];
  const filesOf = async (id: string) => (await files()).filter((key) => key.includes(id)).sort();
  const capture = (options: object = {}) => submit(server.url('/page'), { outputs, ...options });

  it('stores a file for each and names them in the row', async () => {
    const { dependencies } = job.parts;
    const id = await capture();
    await processCapture(dependencies, id);
    const { storageKey, outputs: stored, receipt } = await find(id);
    expect(stored).toEqual([
      { ...fileOf(`${storageKey}.output-2.pdf`), name: 'pdf', kind: 'pdf', format: 'pdf', width: 795, height: 1_123 },
      { ...fileOf(`${storageKey}.output-3.markdown`), name: 'words', kind: 'markdown', format: 'markdown' },
      {
        ...fileOf(`${storageKey}.output-4.png`),
        ...{ name: 'screenshot-2', kind: 'screenshot', format: 'png', width: 400, height: 300 },
      },
    ]);
    expect(receipt).toMatchObject({ navigations: 1 });
    expect(await filesOf(id)).toEqual([storageKey, ...(stored ?? []).map(({ key }) => key)].sort());
  });

  it('leaves no file without a record when the worker is lost between two files, and loses none', async () => {
    const { dependencies, database, storage } = job.parts;
    const id = await capture();
    const lost = gate();
    const back = gate();
    const stopping: Storage = {
      ...methodsOf(storage),
      put: async (key, bytes) => {
        if (key.includes('output-3')) {
          lost.resolve();
          await back.promise;
        }
        await storage.put(key, bytes);
      },
    };
    const first = processCapture({ ...dependencies, storage: stopping }, id);
    await lost.promise;
    expect((await filesOf(id)).length).toBeGreaterThan(0);
    await database.pool.query(
      `UPDATE capture SET status = 'queued', worker_id = NULL, lease_until = NULL, lost_workers = 1 WHERE id = $1`,
      [id],
    );
    await processCapture(dependencies, id);
    const { status, storageKey, outputs: stored } = await find(id);
    expect({ status, outputs: stored?.length }).toEqual({ status: 'completed', outputs: 3 });
    await database.prisma.deployment.create({ data: { contractForm: 'B' } });
    await removeOrphans({ database, storage, log: dependencies.log }, -60_000);
    const recorded = [storageKey, ...(stored ?? []).map(({ key }) => key)].sort();
    expect(await filesOf(id)).toEqual(recorded);
    // A worker that was only frozen writes its remaining files, learns that its claim is lost, and removes them.
    back.resolve();
    await first;
    expect(await filesOf(id)).toEqual(recorded);
  });

  it('removes all files if one cannot be stored', async () => {
    const { dependencies, storage } = job.parts;
    const id = await capture();
    const full: Storage = {
      ...methodsOf(storage),
      put: (key, bytes) =>
        key.includes('output-3') ? Promise.reject(new Error('no space left')) : storage.put(key, bytes),
    };
    await processCapture({ ...dependencies, storage: full }, id);
    expect(await find(id)).toMatchObject({ status: 'failed', storageKey: null });
    expect(await filesOf(id)).toEqual([]);
  });

  it('removes all files if the capture was cancelled meanwhile', async () => {
    const { dependencies, database, storage } = job.parts;
    const id = await capture();
    const cancelling: Storage = {
      ...methodsOf(storage),
      put: async (key, bytes) => {
        await storage.put(key, bytes);
        await cancelCapture(database.pool, dependencies, id, { processing: true });
      },
    };
    await processCapture({ ...dependencies, storage: cancelling }, id);
    expect(await filesOf(id)).toEqual([]);
  });

  it('shares the files among equal captures, and removes them with the last', async () => {
    const { dependencies, database, storage, accountId } = job.parts;
    const fingerprint = Buffer.alloc(32, 7);
    const submitted = () => submit(server.url('/page'), { outputs, cache_ttl_s: 60 }, fingerprint);
    const first = await submitted();
    await processCapture(dependencies, first);
    const second = await submitted();
    await processCapture(dependencies, second);
    const [one, other] = [await find(first), await find(second)];
    expect(other).toMatchObject({ cached: true, storageKey: one.storageKey, outputs: one.outputs });
    expect(await releaseFile(database.pool, accountId, first)).toEqual([]);
    const keys = await releaseFile(database.pool, accountId, second);
    expect(keys).toEqual([one.storageKey, ...(one.outputs ?? []).map(({ key }) => key)]);
    await removeCaptureFiles(storage, keys);
    expect(await filesOf(first)).toEqual([]);
    expect(await find(second)).toMatchObject({ storageKey: null, outputs: null });
  });
});

const fileOf = (key: string) => ({ key, size: expect.any(Number) });

/** A store whose methods may be replaced. */
function methodsOf(storage: Storage): Storage {
  return {
    put: (...args) => storage.put(...args),
    open: (...args) => storage.open(...args),
    remove: (...args) => storage.remove(...args),
    list: (...args) => storage.list(...args),
  };
}

function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
