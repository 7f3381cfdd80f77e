import { firstIdAt } from '@capture/database/ids';
import * as filled from '../query-plans/filled-rows.ts';
import type { PatientConnection } from '../query-plans/patient-connection.ts';
import type { Population } from '../query-plans/population.ts';

export const dayMs = 86_400_000;

/** The statements of a fill spread captures evenly over this many days, which end an hour ago. */
const filledDays = 90;
const hourMs = 3_600_000;

export interface Day {
  /** The end of the day, which the platform takes for now. */
  at: Date;
  /** 0 for the last day of the simulation. */
  daysBeforeLast: number;
  /** Captures a day. */
  count: number;
  fileDays: number;
}

/**
 * Inserts the rows that a platform has after a day with this many captures: all have ended, and some deliveries are held or
 * retried later. The retries of earlier days are done.
 */
export async function seedDay({ run }: PatientConnection, population: Population, day: Day): Promise<void> {
  const { accountIds, huge } = population;
  const { at, daysBeforeLast, count, fileDays } = day;
  const rows = count * filledDays;
  const first = rows - (daysBeforeLast + 1) * count + 1;
  const end = new Date(at.getTime() + daysBeforeLast * dayMs);
  const numbers = [accountIds, rows, end, first, first + count - 1];
  await run(filled.batches, numbers);
  await run(filled.endedCaptures(fileDays, `'-infinity'`), numbers);
  // The day's captures are requested until an hour before its end.
  const dayEnd = at.getTime() - hourMs;
  const ids = (prefix: Parameters<typeof firstIdAt>[0]) =>
    [dayEnd - dayMs, dayEnd].map((ms) => firstIdAt(prefix, new Date(ms + 1)));
  await run(filled.captureEvents('id >= $1 AND id < $2'), ids('req'));
  await run(filled.batchEvents('id >= $1 AND id < $2'), ids('batch'));
  await run(filled.deliveries('e.id >= $4 AND e.id < $5'), [at, rows, huge.id, ...ids('evt')]);
  await run(filled.attempts('d.id >= $1 AND d.id < $2'), ids('dlv'));
  await run(retries, [firstIdAt('dlv', new Date(dayEnd - dayMs + 1))]);
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
