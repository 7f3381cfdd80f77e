import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import type { Platform } from '../../harness/platform.ts';

/** After this many lost workers a capture counts as their cause. */
const lostWorkersAtMost = 3;

/** Long enough that these captures never end by their own timeout, milliseconds. */
const timeoutMs = 120_000;

export const workerKills: ChaosCase = {
  name: 'worker-kills',
  promise:
    'Some pages kill every worker that opens them (kill -9): each fails with RENDERING_FAILED after three workers, costs nothing and is reported once; all other captures complete, one that loses its worker between two of its outputs too, with all of them.',
  async run(context) {
    const platform = await context.open();
    const { pages } = platform;
    const killing: Promise<unknown>[] = [];
    const poison = context.scaled(3, 1);
    for (let index = 0; index < poison; index += 1) {
      // The page never responds, because the worker is killed and replaced.
      pages.serve({
        [`/poison-${index}`]: () => void killing.push(killHolder(platform, pages.url(`/poison-${index}`))),
      });
    }
    // The second visit is for an output with a device. The file of the first visit is drawn by then.
    let visits = 0;
    pages.serve({
      '/outputs': (_request, response) => {
        visits += 1;
        if (visits === 2) killing.push(killHolder(platform, pages.url('/outputs')));
        else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Outputs</h1><p>A page with outputs.');
      },
    });
    const [gateway] = await Promise.all([
      platform.startGateway(),
      ...Array.from({ length: context.isShort ? 1 : 2 }, () => platform.startWorker({ concurrency: 1 })),
    ]);
    const poisoner = await platform.newClient('enterprise');
    for (let index = 0; index < poison; index += 1) {
      await platform.submit(gateway, poisoner, {
        url: pages.url(`/poison-${index}`),
        timeout_ms: timeoutMs,
      });
    }
    const kinds = [{ kind: 'pdf' }, { kind: 'markdown' }, { kind: 'screenshot', device: 'iPhone 15 Pro' }];
    await platform.submit(gateway, poisoner, { url: pages.url('/outputs'), timeout_ms: timeoutMs, outputs: kinds });
    const count = context.scaled(100, 4);
    await platform.submitLoad({
      gatewayOf: () => gateway,
      optionsOf: () => ({ url: pages.url('/page') }),
      count,
      ratePerS: 20,
    });
    await platform.settleCaptures();
    await Promise.all(killing);

    const ledger = await platform.checkCaptures({ orphans: platform.kills });
    const failed = await readFailed(platform);
    const poisoned = failed.filter(({ url }) => url.includes('/poison-'));
    context.expect(
      poisoned.length === poison,
      `each of the ${poison} poisoned captures fails (${poisoned.length} did)`,
    );
    context.expect(
      failed.every(({ code, attempt }) => code === 'RENDERING_FAILED' && attempt >= lostWorkersAtMost),
      `captures fail only with RENDERING_FAILED, after ${lostWorkersAtMost} lost workers`,
    );
    context.expect(failed.length === poison, `every ordinary capture completes (${failed.length - poison} did not)`);
    context.expect(
      (await countOutputs(platform)) === kinds.length,
      'the capture that lost its worker between two outputs has all of them',
    );
    context.note(`${platform.kills} workers were killed by ${poison} captures; ${ledger.completed} others completed`);
    return ledger;
  },
};

/** Kills the worker that holds this capture, and replaces it. */
async function killHolder(platform: Platform, url: string): Promise<void> {
  // A delayed worker may have lost its claim. Then the next holder is killed.
  const holder = await waitUntil(
    async () => {
      const { rows } = await platform.database.pool.query(
        'SELECT status, worker_id AS id FROM capture WHERE url = $1',
        [url],
      );
      const [{ status, id }] = rows;
      if (status === 'failed') return 'none';
      return status === 'processing' && platform.workers.find(({ idPrefix }) => id.startsWith(idPrefix));
    },
    { what: `a worker to hold ${url}` },
  );
  if (holder === 'none') return;
  await platform.killWorker(holder);
  await platform.startWorker({ concurrency: 1 });
}

async function readFailed({ database }: Platform): Promise<{ url: string; code: string; attempt: number }[]> {
  const { rows } = await database.pool.query(
    `SELECT url, error_code AS code, attempt FROM capture WHERE status = 'failed'`,
  );
  return rows;
}

async function countOutputs({ database }: Platform): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT jsonb_array_length(outputs) AS count FROM capture WHERE status = 'completed' AND outputs IS NOT NULL`,
  );
  return rows[0]?.count ?? 0;
}
