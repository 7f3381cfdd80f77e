import { hostilePages, serveHostilePages } from '@capture/testing/network/hostile-pages';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import type { Platform } from '../../harness/platform.ts';
import { type ResourceUsage, readResourceUsage } from '../../harness/resource-usage.ts';

/** The minimum of `timeout_ms`. Most of these pages never end. */
const timeoutMs = 1_000;

/** The allowed growth of the worker's own memory in MB. V8 decides when to collect garbage. */
const grownAtMostMb = 200;

/** The allowed growth of open files. The worker's connections to Postgres and Redis depend on its load. */
const filesMoreAtMost = 20;

/** Time to come to rest, milliseconds. The browser is renewed after 200 captures, and two browsers may run meanwhile. */
const restWithinMs = 240_000;

export const hostilePageCaptures: ChaosCase = {
  name: 'hostile-pages',
  promise:
    'After 1,000 captures of pages that never end, fill the memory or flood the browser, the worker has the same memory, processes, open files, ports and folders as before, and renders ordinary pages.',
  async run(context) {
    const concurrency = context.isShort ? 2 : 4;
    const platform = await context.open();
    const { pages } = platform;
    pages.serve({ ...serveHostilePages(), '/good': '<!doctype html><p>an ordinary page' });
    const [gateway, worker] = await Promise.all([platform.startGateway(), platform.startWorker({ concurrency })]);
    const capture = async (count: number, optionsOf: (index: number) => Record<string, unknown>) => {
      await platform.submitLoad({ gatewayOf: () => gateway, optionsOf, count, ratePerS: 20 });
      await platform.settleCaptures({ hurried: false, timeoutMs: 60_000 + count * timeoutMs });
    };
    const good = (index: number) => ({ url: pages.url(`/good?${index}`) });
    const hostile = (index: number) => {
      // The index advances in strides, so that a small sample covers all kinds.
      const { name, options, patient } = hostilePages[(index * 7) % hostilePages.length]!;
      return { url: pages.url(`/${name}`), ...(!patient && { timeout_ms: timeoutMs }), ...options };
    };

    await capture(2 * concurrency, good);
    const before = await atRest(() => readResourceUsage(worker), concurrency / 2 + 1);
    const count = context.scaled(1_000, 8);
    await capture(count, hostile);
    await capture(2 * concurrency, good);
    const isAsBefore = (now: ResourceUsage) => differences(before, now).length === 0;
    await waitUntil(() => isAsBefore(readResourceUsage(worker)), {
      what: 'the worker to be as before',
      timeoutMs: restWithinMs,
    }).catch(() => undefined);
    const after = readResourceUsage(worker);
    await worker.process.stop();
    for (const difference of differences(before, after)) context.expect(false, difference);

    const ledger = await platform.checkCaptures();
    const { failed, ordinary } = await readOutcomes(platform);
    context.expect(ordinary === 4 * concurrency, `every ordinary page is rendered (${ordinary} of ${4 * concurrency})`);
    context.note(`${count} hostile captures: ${ledger.completed - ordinary} completed, ${describe(failed)}`);
    context.note(`before: ${describe(Object.entries(before))}`);
    context.note(`after: ${describe(Object.entries(after))}`);
    return ledger;
  },
};

/**
 * Waits until the worker has prepared its next pages after a capture, and returns its usage then.
 *
 * @param readyAtRest the ready pages of the worker. Each listens on its own port.
 */
async function atRest(read: () => ResourceUsage, readyAtRest: number): Promise<ResourceUsage> {
  let last = read();
  await waitUntil(
    () => {
      const now = read();
      const isStill = now.listeners === readyAtRest && now.browserProcesses === last.browserProcesses;
      last = now;
      return isStill;
    },
    { what: 'the worker to be at rest' },
  );
  return last;
}

/** Returns the resources that have grown, as sentences that state the expectation. */
function differences(before: ResourceUsage, after: ResourceUsage): string[] {
  const more = (name: keyof ResourceUsage, atMost = 0) =>
    after[name] > before[name] + atMost ? [`${name} is as before (${before[name]}, then ${after[name]})`] : [];
  return [
    ...more('residentMb', grownAtMostMb),
    // Chromium starts its service processes when they are first needed.
    ...more('browserMb', grownAtMostMb * 2),
    ...more('browserProcesses', 2),
    ...more('browsers'),
    ...more('openFiles', filesMoreAtMost),
    ...more('listeners'),
    ...more('folders'),
  ];
}

async function readOutcomes({ database }: Platform): Promise<{ failed: [string, number][]; ordinary: number }> {
  const { rows } = await database.pool.query<{ code: string | null; good: boolean; count: number }>(
    `SELECT error_code AS code, url LIKE '%/good?%' AS good, count(*)::int AS count FROM capture GROUP BY 1, 2`,
  );
  const ordinary = rows.filter(({ code, good }) => good && code === null).reduce((sum, { count }) => sum + count, 0);
  const failed = rows.flatMap(({ code, count }): [string, number][] => (code === null ? [] : [[code, count]]));
  return { failed, ordinary };
}

function describe(entries: readonly [string, number][]): string {
  return entries.map(([name, value]) => `${name} ${value}`).join(', ');
}
