import { pathToFileURL } from 'node:url';
import { withoutRecord } from '@capture/database/captures/release-files';
import { openStorage } from '@capture/storage/open-storage';
import type { Asked } from './client.ts';
import type { Platform } from './platform.ts';

/** What became of the captures of a case. */
export interface CaptureLedger {
  /** Accepted, as the gateways said. */
  captures: number;
  completed: number;
  /** By error code. */
  failedWith: Map<string, number>;
  /** Accepted, and not at an end. */
  lost: number;
  /** Files that no record names: a sweep removes them. */
  orphans: number;
  /** What does not add up, one sentence each. */
  faults: string[];
}

interface CaptureRow {
  id: string;
  accountId: string;
  status: string;
  errorCode: string | null;
  cached: boolean;
  storageKey: string | null;
  fileSize: number | null;
  webhookUrl: string | null;
  batchId: string | null;
  /** Names of its events. */
  events: string[];
}

export interface Explained {
  /** Files without a record: of attempts whose worker was killed. */
  orphans?: number;
  /** Units that each account had used up before. */
  usedBefore?: number;
  /** Accounts whose captures nobody made: those that the harness ends by itself have no files. */
  except?: readonly string[];
}

/**
 * Holds what the gateways accepted against the records, the quota, the events and the files, when all has come to its end:
 * each capture ended once, each completed one counts one unit and has a file of the size that its record names, nothing is
 * reserved any more.
 *
 */
export async function balanceCaptures(
  platform: Platform,
  asked: Asked,
  { orphans = 0, usedBefore = 0, except = [] }: Explained = {},
): Promise<CaptureLedger> {
  const rows = await readCaptures(platform, except);
  const faults: string[] = [];
  const fault = (found: readonly string[], what: string) => {
    if (found.length > 0) faults.push(`${found.length} ${what}: ${found.slice(0, 3).join(', ')}`);
  };
  const known = new Map(rows.map((row) => [row.id, row]));
  const lost = [...asked.accepted.keys()].filter((id) => !isOver(known.get(id)));
  fault(lost, 'captures were accepted and did not come to an end');
  fault(
    rows.filter((row) => !isOver(row) && !asked.accepted.has(row.id)).map(({ id, status }) => `${id} (${status})`),
    'captures of requests that broke off did not come to an end',
  );
  const unasked = rows.filter(({ id, batchId }) => !asked.named.has(id) && !asked.batches.has(batchId ?? ''));
  if (unasked.length > asked.uncertain) {
    const explained = `that no answer names (${asked.uncertain} requests broke off)`;
    fault(
      unasked.map(({ id }) => id),
      `captures are there ${explained}`,
    );
  }
  fault(
    rows.filter((row) => row.webhookUrl !== null && !hasItsEvent(row)).map(({ id, events }) => `${id} (${events})`),
    'captures have other events than the one of their end',
  );
  await faultsOfQuota(platform, rows, { usedBefore, except }, fault);
  await faultsOfBatches(platform, fault);
  const left = await faultsOfFiles(platform, rows, fault);
  if (left > orphans) faults.push(`${left} files belong to nobody, where ${orphans} are explained`);
  const failedWith = new Map<string, number>();
  for (const { errorCode } of rows) {
    if (errorCode !== null) failedWith.set(errorCode, (failedWith.get(errorCode) ?? 0) + 1);
  }
  return {
    captures: asked.accepted.size,
    completed: rows.filter(({ status }) => status === 'completed').length,
    failedWith,
    lost: lost.length,
    orphans: left,
    faults,
  };
}

const isOver = (row: CaptureRow | undefined) =>
  row !== undefined && ['completed', 'failed', 'cancelled'].includes(row.status);

function hasItsEvent({ status, events }: CaptureRow): boolean {
  return status === 'cancelled' ? events.length === 0 : events.length === 1 && events[0] === `capture.${status}`;
}

type Fault = (found: readonly string[], what: string) => void;

/** `used` is what completed, to the unit; and nothing is held for what is over. */
async function faultsOfQuota(
  { database }: Platform,
  rows: readonly CaptureRow[],
  { usedBefore, except }: Required<Pick<Explained, 'usedBefore' | 'except'>>,
  fault: Fault,
): Promise<void> {
  const { rows: usage } = await database.pool.query<{ accountId: string; used: number; reserved: number }>(
    `SELECT account_id AS "accountId", sum(used)::int AS used, sum(reserved)::int AS reserved
       FROM usage WHERE account_id <> ALL($1) GROUP BY account_id`,
    [except],
  );
  const counted = new Map<string, number>();
  for (const { accountId, status, cached } of rows) {
    if (status === 'completed' && !cached) counted.set(accountId, (counted.get(accountId) ?? 0) + 1);
  }
  fault(
    usage
      .filter(({ accountId, used }) => used - usedBefore !== (counted.get(accountId) ?? 0))
      .map(({ accountId, used }) => `${accountId} (${used}, ${counted.get(accountId) ?? 0} completed)`),
    'accounts were charged for something else than what completed',
  );
  fault(
    usage.filter(({ reserved }) => reserved !== 0).map(({ accountId, reserved }) => `${accountId} (${reserved})`),
    'accounts have quota reserved for nothing',
  );
}

/** Each batch is over and counts what its items came to, each once. */
async function faultsOfBatches({ database }: Platform, fault: Fault): Promise<void> {
  const { rows } = await database.pool.query(
    `SELECT b.id FROM batch b JOIN capture c ON c.batch_id = b.id
      GROUP BY b.id
     HAVING b.status <> 'completed' OR b.total <> count(*)
         OR b.succeeded <> count(*) FILTER (WHERE c.status = 'completed')
         OR b.failed <> count(*) FILTER (WHERE c.status = 'failed')`,
  );
  fault(
    rows.map(({ id }) => id),
    'batches are not over, or count something else than their items came to',
  );
}

/** Returns how many files no record names. */
async function faultsOfFiles(
  { database, files }: Platform,
  rows: readonly CaptureRow[],
  fault: Fault,
): Promise<number> {
  const storage = await openStorage(pathToFileURL(files).href);
  const missing: string[] = [];
  for (const { id, status, storageKey, fileSize } of rows) {
    if (status !== 'completed') continue;
    const file = storageKey === null ? null : await storage.open(storageKey);
    if (file?.size !== fileSize) missing.push(`${id} (${file?.size ?? 'none'}, ${fileSize} bytes recorded)`);
    file?.stream.destroy();
  }
  fault(missing, 'completed captures have no file, or one of another size');
  const keys: string[] = [];
  for await (const key of storage.list(new Date(Date.now() + 60_000))) keys.push(key);
  return (await withoutRecord(database.pool, keys)).length;
}

async function readCaptures({ database }: Platform, except: readonly string[]): Promise<CaptureRow[]> {
  const { rows } = await database.pool.query<CaptureRow>(
    `SELECT c.id, c.account_id AS "accountId", c.status, c.error_code AS "errorCode", c.cached,
            c.storage_key AS "storageKey", c.file_size AS "fileSize", c.webhook_url AS "webhookUrl", c.batch_id AS "batchId",
            ARRAY(SELECT e.name FROM event e WHERE e.capture_id = c.id) AS events
       FROM capture c WHERE c.account_id <> ALL($1)`,
    [except],
  );
  return rows;
}
