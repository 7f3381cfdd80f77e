import { firstIdAt } from '@capture/database/ids';
import * as filled from '../query-plans/filled-rows.ts';
import type { PatientConnection } from '../query-plans/patient-connection.ts';
import type { Population } from '../query-plans/population.ts';

export const dayMs = 86_400_000;

/** The statements of a fill spread captures evenly over this many days, which end an hour ago. */
const filledDays = 90;
const hourMs = 3_600_000;

/** Rows are inserted in blocks. */
export const capturesAreMultiplesOf = filled.blockSize;

export interface Day {
  /** The end of the day, which the platform takes for now. */
  at: Date;
  /** 0 for the last day of the simulation. */
  daysBeforeLast: number;
  /** Captures a day. */
  count: number;
  fileDays: number;
}

/** The number of captures of all days of a fill. */
export const capturesInAll = (count: number) => count * filledDays;

/** Captures of one statement. If a run is paused (SIGSTOP), the server ends at most that statement. */
const capturesAtOnce = 50_000;

/**
 * Inserts the rows that a platform has after a day with this many captures: all have ended, and some deliveries are held or
 * retried later. Each connection inserts a part of the day.
 */
export async function seedDay(
  connections: readonly PatientConnection[],
  population: Population,
  day: Day,
): Promise<void> {
  const parts = splitDay(day.count);
  const insert = async ({ run }: PatientConnection) => {
    for (let part = parts.shift(); part; part = parts.shift()) await seedPart(run, population, day, part);
  };
  await Promise.all(connections.map(insert));
  const [first] = connections as [PatientConnection];
  await endRetries(first, new Date(endOf(day, 0) + 1));
}

/** Delivers all pending deliveries that were created before `before`. */
export async function endRetries({ run }: PatientConnection, before: Date): Promise<void> {
  await run(retries, [firstIdAt('dlv', before)]);
}

interface Part {
  /** The number of captures of the day that precede the part, and the number of its captures. */
  before: number;
  count: number;
}

function splitDay(count: number): Part[] {
  const parts = Math.ceil(count / capturesAtOnce);
  return Array.from({ length: parts }, (_, part) => ({
    before: part * capturesAtOnce,
    count: Math.min(capturesAtOnce, count - part * capturesAtOnce),
  }));
}

/** The time of the request for a capture, given the number of earlier captures of the day, milliseconds. */
const endOf = ({ at, count }: Day, captures: number) =>
  Math.round(at.getTime() - hourMs - dayMs * (1 - captures / count));

async function seedPart(
  run: PatientConnection['run'],
  { accountIds, huge }: Population,
  day: Day,
  { before, count }: Part,
): Promise<void> {
  const { at, daysBeforeLast, fileDays } = day;
  const rows = capturesInAll(day.count);
  const first = rows - (daysBeforeLast + 1) * day.count + before + 1;
  const end = new Date(at.getTime() + daysBeforeLast * dayMs);
  const numbers = [accountIds, rows, end, first, first + count - 1];
  await run(filled.batches, numbers);
  await run(filled.endedCaptures(fileDays, `'-infinity'`), numbers);
  const ids = (prefix: Parameters<typeof firstIdAt>[0]) =>
    [before, before + count].map((captures) => firstIdAt(prefix, new Date(endOf(day, captures) + 1)));
  await run(filled.captureEvents('id >= $1 AND id < $2'), ids('req'));
  await run(filled.batchEvents('id >= $1 AND id < $2'), ids('batch'));
  await run(filled.deliveries('e.id >= $4 AND e.id < $5'), [at, rows, huge.id, ...ids('evt')]);
  await run(filled.attempts('d.id >= $1 AND d.id < $2'), ids('dlv'));
}

/** Retries all deliveries before $1 that are pending. */
const retries = `
  WITH retried AS (
    UPDATE delivery SET status = 'delivered', attempt = attempt + 1, begun_attempt = attempt + 1,
           attempt_count = attempt_count + 1, retries_used = retries_used + 1, completed_at = next_attempt_at,
           next_attempt_at = NULL, last_status = 200, last_error = NULL
     WHERE status = 'pending' AND id < $1
    RETURNING id, attempt_count, completed_at
  )
  INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status, response_excerpt)
  SELECT id, attempt_count, 'schedule', completed_at, 80, 200, 'ok' FROM retried`;
