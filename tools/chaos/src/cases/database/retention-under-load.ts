import { firstIdAt } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { createPartitions, startOfWeek } from '@capture/database/partitions/create-partitions';
import { readPartitions } from '@capture/database/partitions/read-partitions';
import { deleteOldCaptures } from '@capture/database/retention/delete-old-captures';
import type { Retention } from '@capture/database/retention/remove-old-rows';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { type Platform, shortTimes } from '../../harness/platform.ts';
import { seedCaptures } from '../../harness/seed-captures.ts';

const dayMs = 86_400_000;

/** The number of dropped weeks. They are in the future, because the first partition, of the oldest row, is never dropped. */
const weeks = 3;

/** Rows that statements may read by sequential scans of nearly empty tables. */
const scannedAtMost = 1_000;

export const retentionUnderLoad: ChaosCase = {
  name: 'retention-under-load',
  promise:
    'Old captures are deleted row by row and by week while captures run in the same tables; the process that deletes and a worker are killed meanwhile: every capture completes, only old rows are gone, and no statement reads a whole partition.',
  async run(context) {
    const platform = await context.open(context.hurried ? shortTimes : {});
    const { pool } = platform.database;
    const rows = context.scaled(200_000, 10_000);
    // All captures of these rows have ended.
    const rowsOfWeek = context.scaled(20_000, 5_000);
    const seeded = await seedCaptures(platform, rows);
    const from = startOfWeek(new Date(Date.now() + 70 * dayMs));
    await createPartitions(pool, from);
    for (let week = 0; week < weeks; week += 1) {
      await addWeek(platform, seeded[0]!, new Date(from.getTime() + week * 7 * dayMs + dayMs), rowsOfWeek);
    }
    await pool.query('ANALYZE capture');
    const [gateway, worker] = await Promise.all([platform.startGateway(), platform.startWorker()]);
    if (!context.isShort) await platform.startWorker();

    const before = await rowsScanned(platform);
    let over = false;
    const load = platform.submitLoad({
      gatewayOf: () => gateway,
      optionsOf: () => ({ url: platform.pages.url('/page') }),
      count: Number.MAX_SAFE_INTEGER,
      ratePerS: context.isShort ? 1 : 3,
      stopped: () => over,
    });
    try {
      await waitUntil(() => platform.submissions.accepted.size >= 3, { what: 'captures to be accepted' });
      // At this time all rows are past, including those of the captures that run now.
      const retention = { at: new Date(from.getTime() + (weeks * 7 + 91) * dayMs), days: 90 };
      await interrupt(platform, retention);
      context.expect((await oldest(platform)) !== undefined, 'the interrupted run leaves old captures');
      await platform.killWorker(worker);
      await platform.startWorker();
      const removed = await deleteOldCaptures(pool, retention);
      context.note(`${rows + weeks * rowsOfWeek} old captures; the second run removed about ${removed}`);
      const accepted = platform.submissions.accepted.size;
      await waitUntil(() => platform.submissions.accepted.size >= accepted + context.scaled(100, 3), {
        what: 'captures to be accepted afterwards',
      });
    } finally {
      over = true;
      await load;
    }
    const scanned = (await rowsScanned(platform)) - before;
    context.note(`${scanned} rows of captures were read by sequential scans`);
    context.expect(scanned <= scannedAtMost, `at most ${scannedAtMost} rows are read by sequential scans (${scanned})`);
    context.expect((await oldest(platform)) === undefined, 'every old capture is gone');
    const names = (await readPartitions(pool, { name: 'capture' })).map(({ name }) => name);
    context.expect(names.length === 1, `every past week is dropped (${names.join(', ')})`);
    await platform.settleCaptures();
    const refused = [...platform.submissions.refused.keys()];
    context.expect(refused.length === 0, `no request is refused (${refused.join(', ')})`);
    const ledger = await platform.checkCaptures({ orphans: platform.kills * 2, except: seeded });
    context.expect(ledger.completed === ledger.captures, `every capture completes (${ledger.completed})`);
    return ledger;
  },
};

/** Adds captures of one account that ended in a week, with ids of the week's second day. */
async function addWeek({ database }: Platform, accountId: string, at: Date, rows: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO capture (id, account_id, type, status, url, options, month, attempt, fingerprint, created_at, completed_at)
     SELECT left($1, 20) || lpad(n::text, 10, '0'), $2, 'screenshot', 'failed', 'https://example.com/' || n, '{}',
            to_char($3::timestamptz, 'YYYY-MM'), 1, sha256(n::text::bytea), $3, $3
       FROM generate_series(1, $4::int) n`,
    [firstIdAt('req', at), accountId, at, rows],
  );
}

/** Deletes old captures until some are gone, then ends the connections of that run, as if its process was killed. */
async function interrupt(platform: Platform, retention: Retention): Promise<void> {
  const { databaseUrl, database } = platform;
  const first = await oldest(platform);
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', 'interrupted');
  const interrupted = openDatabase({ url: url.href, onIdleError: () => {} });
  try {
    let isOver = false;
    const run = deleteOldCaptures(interrupted.pool, { ...retention, goOn: () => !isOver })
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    await waitUntil(async () => (await oldest(platform)) !== first || isOver, {
      what: 'old captures to be deleted',
    });
    while (!isOver) {
      await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'interrupted'`,
      );
    }
    await run;
  } finally {
    await interrupted.close();
  }
}

/** Returns the id of the oldest seeded capture; undefined once all are gone. Sorting makes Postgres read an index. */
async function oldest({ database }: Platform): Promise<string | undefined> {
  const { rows } = await database.pool.query(`SELECT id FROM capture WHERE id < 'req_01' ORDER BY id LIMIT 1`);
  return rows[0]?.id;
}

/** Counts rows of captures that sequential scans have read. */
async function rowsScanned({ database }: Platform): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT coalesce(sum(seq_tup_read), 0)::int AS rows FROM pg_stat_user_tables WHERE relname ~ '^capture_'`,
  );
  return rows[0].rows;
}
