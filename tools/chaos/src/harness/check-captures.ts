import { pathToFileURL } from 'node:url';
import { withoutRecord } from '@capture/database/captures/release-files';
import { isOwnKey, ownFileKey } from '@capture/storage/file-key';
import { openStorage } from '@capture/storage/open-storage';
import { waitUntil } from '@capture/testing/wait-until';
import type { Submissions } from './client.ts';
import type { Platform } from './platform.ts';

/** The captures of a case, accounted for. */
export interface CaptureLedger {
  /** Captures that the gateways accepted. */
  captures: number;
  completed: number;
  /** The number of failed captures by error code. */
  failedWith: Map<string, number>;
  /** Captures that were accepted, and never ended. */
  lost: number;
  /** Files without a record, which a cleanup job removes. */
  orphans: number;
  /** Discrepancies, a sentence each. */
  faults: string[];
}

interface CaptureRow {
  id: string;
  accountId: string;
  status: string;
  errorCode: string | null;
  cached: boolean;
  storageKey: string | null;
  outputs: { key: string; size: number }[] | null;
  fileSize: number | null;
  webhookUrl: string | null;
  batchId: string | null;
  /** The names of the capture's events. */
  events: string[];
}

export interface Explained {
  /** Files without a record, left by attempts whose worker was killed. */
  orphans?: number;
  /** Units that each account had used before. */
  usedBefore?: number;
  /** Accounts whose captures no worker made. The harness ends these captures itself, without files. */
  except?: readonly string[];
}

/**
 * Checks the captures that the gateways accepted against the records, quotas, events and files, once everything has settled:
 * each capture ended once, each completed capture counts one unit and has a file of the recorded size, and no quota is still
 * reserved.
 */
export async function checkCaptures(
  platform: Platform,
  submissions: Submissions,
  { orphans = 0, usedBefore = 0, except = [] }: Explained = {},
): Promise<CaptureLedger> {
  const rows = await readCaptures(platform, except);
  const faults: string[] = [];
  const report = faultReporter(faults);
  const known = new Map(rows.map((row) => [row.id, row]));
  const lost = [...submissions.accepted.keys()].filter((id) => !isOver(known.get(id)));
  report(lost, 'captures were accepted and never ended');
  report(
    rows
      .filter((row) => !isOver(row) && !submissions.accepted.has(row.id))
      .map(({ id, status }) => `${id} (${status})`),
    'captures of requests whose connection broke never ended',
  );
  const unknown = rows.filter(
    ({ id, batchId }) => !submissions.knownIds.has(id) && !submissions.batches.has(batchId ?? ''),
  );
  if (unknown.length > submissions.uncertain) {
    report(
      unknown.map(({ id }) => id),
      `captures exist that no response named (${submissions.uncertain} connections broke)`,
    );
  }
  report(
    rows.filter((row) => row.webhookUrl !== null && !hasItsEvent(row)).map(({ id, events }) => `${id} (${events})`),
    'captures have other events than the one of their end',
  );
  await checkQuota(platform, rows, { usedBefore, except }, report);
  await checkBatches(platform, report);
  await checkFiles(platform, rows, report);
  const unrecorded = await findUnrecorded(platform, orphans);
  if (unrecorded.length > orphans) report(unrecorded, `files have no record; ${orphans} are explained`);
  const failedWith = new Map<string, number>();
  for (const { errorCode } of rows) {
    if (errorCode !== null) failedWith.set(errorCode, (failedWith.get(errorCode) ?? 0) + 1);
  }
  return {
    captures: submissions.accepted.size,
    completed: rows.filter(({ status }) => status === 'completed').length,
    failedWith,
    lost: lost.length,
    orphans: unrecorded.length,
    faults,
  };
}

/** Reports ids that share a fault, if there are any. */
export type ReportFault = (ids: readonly string[], what: string) => void;

/** Adds a sentence to `faults`, with the number of ids and the first three. */
export function faultReporter(faults: string[]): ReportFault {
  return (ids, what) => {
    if (ids.length > 0) faults.push(`${ids.length} ${what}: ${ids.slice(0, 3).join(', ')}`);
  };
}

const isOver = (row: CaptureRow | undefined) =>
  row !== undefined && ['completed', 'failed', 'cancelled'].includes(row.status);

function hasItsEvent({ status, events }: CaptureRow): boolean {
  return status === 'cancelled' ? events.length === 0 : events.length === 1 && events[0] === `capture.${status}`;
}

/** Checks that `used` equals the completed captures, to the unit, and that no quota is reserved. */
async function checkQuota(
  { database }: Platform,
  rows: readonly CaptureRow[],
  { usedBefore, except }: Required<Pick<Explained, 'usedBefore' | 'except'>>,
  report: ReportFault,
): Promise<void> {
  const { rows: usage } = await database.pool.query<{ accountId: string; used: number; reserved: number }>(
    `SELECT account_id AS "accountId", sum(used)::int AS used, sum(reserved)::int AS reserved
       FROM usage WHERE account_id <> ALL($1) GROUP BY account_id`,
    [except],
  );
  const completed = new Map<string, number>();
  for (const { accountId, status, cached } of rows) {
    if (status === 'completed' && !cached) completed.set(accountId, (completed.get(accountId) ?? 0) + 1);
  }
  report(
    usage
      .filter(({ accountId, used }) => used - usedBefore !== (completed.get(accountId) ?? 0))
      .map(({ accountId, used }) => `${accountId} (${used}, ${completed.get(accountId) ?? 0} completed)`),
    'accounts were not charged exactly for what completed',
  );
  report(
    usage.filter(({ reserved }) => reserved !== 0).map(({ accountId, reserved }) => `${accountId} (${reserved})`),
    'accounts have quota reserved without a capture',
  );
}

/** Checks that each batch has ended and counts each of its items once. */
async function checkBatches({ database }: Platform, report: ReportFault): Promise<void> {
  const { rows } = await database.pool.query(
    `SELECT b.id FROM batch b JOIN capture c ON c.batch_id = b.id
      GROUP BY b.id
     HAVING b.status <> 'completed' OR b.total <> count(*)
         OR b.succeeded <> count(*) FILTER (WHERE c.status = 'completed')
         OR b.failed <> count(*) FILTER (WHERE c.status = 'failed')`,
  );
  report(
    rows.map(({ id }) => id),
    'batches are not over, or have counters that differ from their items',
  );
}

async function checkFiles({ files }: Platform, rows: readonly CaptureRow[], report: ReportFault): Promise<void> {
  const storage = await openStorage(pathToFileURL(files).href);
  const missing: string[] = [];
  for (const { id, status, storageKey, fileSize, outputs } of rows) {
    if (status !== 'completed') continue;
    const file = storageKey === null ? null : await storage.open(storageKey);
    if (file?.size !== fileSize) missing.push(`${id} (${file?.size ?? 'none'}, ${fileSize} bytes recorded)`);
    file?.stream.destroy();
    for (const { key, size } of outputs ?? []) {
      const output = await storage.open(key);
      if (output?.size !== size) missing.push(`${id} (${key}: ${output?.size ?? 'none'}, ${size} bytes recorded)`);
      output?.stream.destroy();
    }
  }
  report(missing, 'completed captures have no file, or one of another size');
}

/** How long a worker may go on writing when every capture has ended, milliseconds. */
const writesEndWithinMs = 30_000;

/**
 * Returns the files without a record. While there are more than the explained files, the function waits: a worker may still be
 * writing a thumbnail, which no client waits for, or removing the file of an attempt that lost its claim. Other files stay,
 * because the cleanup job leaves every file for an hour.
 */
async function findUnrecorded({ database, files }: Platform, explained: number): Promise<string[]> {
  const storage = await openStorage(pathToFileURL(files).href);
  const endAt = Date.now() + writesEndWithinMs;
  let unrecorded: string[] = [];
  await waitUntil(
    async () => {
      const keys: string[] = [];
      for await (const key of storage.list(new Date(Date.now() + 60_000))) keys.push(key);
      unrecorded = await withoutRecord(database.pool, keys.filter(isOwnKey).map(ownFileKey));
      return unrecorded.length <= explained || Date.now() > endAt;
    },
    { what: 'the files without a record to be found' },
  );
  return unrecorded;
}

async function readCaptures({ database }: Platform, except: readonly string[]): Promise<CaptureRow[]> {
  const { rows } = await database.pool.query<CaptureRow>(
    `SELECT c.id, c.account_id AS "accountId", c.status, c.error_code AS "errorCode", c.cached,
            c.storage_key AS "storageKey", c.file_size AS "fileSize", c.outputs, c.webhook_url AS "webhookUrl", c.batch_id AS "batchId",
            ARRAY(SELECT e.name FROM event e WHERE e.capture_id = c.id) AS events
       FROM capture c WHERE c.account_id <> ALL($1)`,
    [except],
  );
  return rows;
}
