import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openPageServer } from '@capture/testing/network/page-server';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import type { ChromiumProcess } from '../browser/chromium-process.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { openTestWorker } from '../worker.test-support.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const waitUntilCollected = (held: WeakRef<object>) =>
  waitUntil(
    () => {
      collectGarbage();
      return held.deref() === undefined;
    },
    // Each collection also visits the modules and results of earlier test files.
    { what: 'garbage collection', everyMs: 200 },
  );

it('a closed page and a renewed browser can be garbage collected', async () => {
  const server = await openPageServer({ '/page': '<p>page' });
  const worker = await openTestWorker({ allow: `127.0.0.1/32:${server.port}`, cells: { maxCaptures: 3 } });
  try {
    const takeAndClose = async (): Promise<WeakRef<CapturePage>> => {
      const page = await worker.pool.take();
      await page.close();
      return new WeakRef(page);
    };
    await waitUntilCollected(await takeAndClose());

    const current = async (): Promise<WeakRef<ChromiumProcess>> => new WeakRef((await worker.cells.current()).chromium);
    const first = await current();
    const pid = first.deref()?.pid;
    for (let count = 0; count < 3; count += 1) {
      await worker.capture(server.url('/page'));
      await worker.pool.refill();
    }
    await waitUntil(async () => (await worker.cells.current()).chromium.pid !== pid, { what: 'another browser' });
    await worker.pool.refill();
    await waitUntilCollected(first);
    expect((await worker.capture(server.url('/page'))).image.bytes.length).toBeGreaterThan(0);
  } finally {
    await worker.close();
    await server.close();
  }
});
