import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyMigrations } from '@capture/migrations/migrate';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import pg from 'pg';
import type { CaseContext, ChaosCase } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import {
  type ApiResponse,
  type Client,
  noSubmissions,
  type Submissions,
  send,
  submitCapture,
} from '../../harness/client.ts';
import { type Platform, shortTimes } from '../../harness/platform.ts';
import { seedCaptures } from '../../harness/seed-captures.ts';

/** Migrations that a release may contain. docs/upgrade.md explains their form. */
const migrations: Readonly<Record<string, string>> = {
  '20990101000000_columns': `ALTER TABLE "capture" ADD COLUMN "trial_label" TEXT, ADD COLUMN "trial_rank" INTEGER NOT NULL DEFAULT 0;`,
  '20990101010000_index': `-- migrate: outside a transaction
-- for each partition of capture
DROP INDEX CONCURRENTLY IF EXISTS "{partition}_trial_idx";
-- for each partition of capture
CREATE INDEX CONCURRENTLY "{partition}_trial_idx" ON "{partition}"("url", "created_at");`,
  '20990101011000_index_of_all': `-- allowed: each partition has it
CREATE INDEX "capture_trial_idx" ON "capture"("url", "created_at");`,
  '20990101020000_check': `ALTER TABLE "capture" ADD CONSTRAINT "capture_trial_check" CHECK ("trial_rank" >= 0) NOT VALID;`,
  '20990101030000_validate': `ALTER TABLE "capture" VALIDATE CONSTRAINT "capture_trial_check";`,
};

/** Well below the rate limit of one account. */
const intervalMs = 150;

/** Captures that must be accepted while a migration waits for its lock. */
const acceptedMeanwhile = 5;

interface Asking extends Submissions {
  /** Every response, with the phase of its request. */
  responses: { phase: string; status: number; tookMs: number }[];
}

export const migrateUnderLoad: ChaosCase = {
  name: 'migrate-under-load',
  promise:
    'A database of a million captures gets columns, an index and a check while the platform runs and a long transaction blocks them: no request fails, and none waits for the migration.',
  async run(context) {
    const platform = await context.open(context.hurried ? shortTimes : {});
    const rows = context.scaled(1_000_000, 5_000);
    const filledAt = Date.now();
    const filled = await seedCaptures(platform, rows);
    context.note(`${rows} captures seeded in ${Math.round((Date.now() - filledAt) / 1_000)} s`);
    await Promise.all([platform.startGateway(), platform.startWorker()]);
    const client = await platform.newClient('enterprise');
    const asking: Asking = { ...noSubmissions(), responses: [] };
    const load = { phase: 'before', over: false };
    const submissions = askOn(platform, client, asking, load);
    try {
      await waitUntil(() => asking.accepted.size >= context.scaled(30, 3), { what: 'requests before' });
      await migrate(context, platform, asking, load);
      load.phase = 'after';
    } finally {
      load.over = true;
      await submissions;
    }
    await platform.settleCaptures();
    const failed = asking.responses.filter(({ status }) => status >= 300 || status === 0);
    context.expect(failed.length === 0, `every request gets a 2xx (${failed.map(({ status }) => status)})`);
    for (const phase of new Set(asking.responses.map((response) => response.phase)))
      context.note(describe(phase, asking));
    const ledger = await checkCaptures(platform, asking, { except: filled });
    context.expect(ledger.completed === asking.accepted.size, 'every capture completes');
    return ledger;
  },
};

/** Applies the migrations. The first meets an open transaction that has read the table, as a long report would. */
async function migrate(context: CaseContext, platform: Platform, asking: Asking, load: { phase: string }) {
  const folder = makeTestFolder('migrations');
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'migration.sql'), sql);
  }
  const names = Object.keys(migrations);
  let tries = 0;
  const apply = (name: string) =>
    applyMigrations(platform.databaseUrl, {
      folder,
      names: [name],
      report: () => {
        tries += 1;
      },
    });
  const reader = new pg.Client({ connectionString: platform.databaseUrl });
  await reader.connect();
  let first: Promise<string[]>;
  try {
    await reader.query('BEGIN; SELECT id FROM capture LIMIT 1');
    load.phase = 'blocked';
    first = apply(names[0]!);
    first.catch(() => undefined);
    const before = asking.accepted.size;
    await waitUntil(() => tries > 0 && asking.accepted.size >= before + acceptedMeanwhile, {
      what: 'captures to be accepted while the migration waits',
      timeoutMs: 30_000,
    });
    load.phase = names[0]!;
  } finally {
    await reader.end();
  }
  await first;
  context.note(`the first migration waited for an open transaction: ${tries} tries`);
  for (const name of names.slice(1)) {
    load.phase = name;
    const startedAt = Date.now();
    await apply(name);
    context.note(`${name.replace(/^\d+_/, '')} took ${Date.now() - startedAt} ms`);
  }
}

/** Submits captures and sends reads like clients, until the migrations have ended. */
async function askOn(
  platform: Platform,
  client: Client,
  asking: Asking,
  load: { phase: string; over: boolean },
): Promise<void> {
  const gateway = platform.gateways[0]!;
  const url = platform.pages.url('/page');
  const reads = ['/api/v1/captures?limit=20', '/api/v1/usage', '/api/v1/account'];
  const note = (phase: string, { status, tookMs }: ApiResponse) => asking.responses.push({ phase, status, tookMs });
  for (let index = 0; !load.over; index += 1) {
    const { phase } = load;
    const [made, read] = await Promise.all([
      submitCapture(gateway, client, asking, { url, async: index % 4 !== 0 }),
      send(gateway, client, reads[index % reads.length]!),
    ]);
    note(phase, made);
    note(phase, read);
    await sleep(intervalMs);
  }
}

function describe(phase: string, { responses }: Asking): string {
  const took = responses.filter((response) => response.phase === phase).map(({ tookMs }) => tookMs);
  const sorted = took.sort((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${phase.replace(/^\d+_/, '')}: ${sorted.length} requests, p50 ${median} ms, maximum ${sorted.at(-1) ?? 0} ms`;
}
