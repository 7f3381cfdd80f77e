import { makeReceiversDue, type ReceiverKey } from '@capture/database/deliveries/receivers';
import { sendSignal } from '@capture/queue/signals';
import { waitUntil } from '@capture/testing/wait-until';
import type { Platform } from './platform.ts';

export interface Settling {
  /** Whether lost leases expire at once instead of after their time. */
  hurried: boolean;
  timeoutMs?: number;
  /** Whether outcomes were lost with Postgres. Then the leases of deliveries past their timeout are lost, too. */
  unrecorded?: boolean;
}

export async function countOpenCaptures({ database }: Platform): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS open FROM capture WHERE status IN ('queued', 'processing')`,
  );
  return rows[0].open;
}

/** Waits until every capture has ended, or the timeout has passed. The ledger then reports open captures. */
export async function settleCaptures(platform: Platform, { hurried, timeoutMs = 180_000 }: Settling): Promise<void> {
  const endAt = Date.now() + timeoutMs;
  await waitUntil(
    async () => {
      if ((await countOpenCaptures(platform)) === 0 || Date.now() > endAt) return true;
      if (hurried) await expireCaptureLeases(platform);
      return false;
    },
    { what: 'the state of the captures', timeoutMs: timeoutMs + 60_000 },
  );
}

/** Expires the leases of killed workers, as time would. */
async function expireCaptureLeases({ database, killedWorkers }: Platform): Promise<void> {
  if (killedWorkers.length === 0) return;
  await database.pool.query(
    `UPDATE capture SET lease_until = now() - interval '1 ms'
      WHERE status = 'processing' AND lease_until > now()
        AND EXISTS (SELECT FROM unnest($1::text[]) AS killed (prefix) WHERE worker_id ^@ prefix)`,
    [killedWorkers],
  );
}

export async function countOpenDeliveries({ database }: Platform): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS open FROM delivery WHERE status IN ('pending', 'paused')`,
  );
  return rows[0].open;
}

/** After this time without a request, leases that dispatchers hold count as lost, milliseconds. */
const quietMs = 12_000;

/**
 * The remaining seconds of a lost lease. A lease lasts half a minute beyond the receiver's timeout, to record the outcome. With
 * less than this remaining, the attempt ended seconds ago and its outcome was not recorded.
 */
const overdueS = 25;

/**
 * Waits until every delivery has ended, or the timeout has passed. The ledger then reports open deliveries.
 *
 * In a hurry the leases of killed dispatchers expire at once, and all leases when nothing has happened for a while.
 */
export async function settleDeliveries(
  platform: Platform,
  { hurried, timeoutMs = hurried ? 100_000 : 300_000, unrecorded = false }: Settling,
): Promise<void> {
  let progress = '';
  let progressAt = Date.now();
  const endAt = Date.now() + timeoutMs;
  await waitUntil(
    async () => {
      const open = await countOpenDeliveries(platform);
      if (open === 0 || Date.now() > endAt) return true;
      const { hits, open: sending } = await platform.receiver.count();
      if (progress !== `${open} ${hits}` || sending > 0) {
        progress = `${open} ${hits}`;
        progressAt = Date.now();
      }
      if (hurried && unrecorded) await expireDeliveryLeases(platform, 'overdue');
      if (hurried) await expireDeliveryLeases(platform, Date.now() - progressAt > quietMs ? 'all' : platform.killed);
      return false;
    },
    { what: 'the state of the deliveries', timeoutMs: timeoutMs + 60_000 },
  );
}

/**
 * Expires the leases of these dispatchers' started attempts, as time would, because no dispatcher will record them. `overdue`
 * means attempts of any dispatcher that should have been recorded by now.
 */
export async function expireDeliveryLeases(
  { database, redis }: Platform,
  dispatchers: readonly string[] | 'all' | 'overdue',
): Promise<void> {
  const named = typeof dispatchers === 'string' ? null : dispatchers;
  const { rows } = await database.pool.query<ReceiverKey>(
    `UPDATE delivery SET lease_until = now(), next_attempt_at = now()
      WHERE status = 'pending' AND lease_until > now() AND begun_attempt = attempt
        AND ($1::text[] IS NULL OR dispatcher_id = ANY($1))
        AND ($2::int IS NULL OR lease_until < now() + make_interval(secs => $2))
     RETURNING account_id AS "accountId", host`,
    [named, dispatchers === 'overdue' ? overdueS : null],
  );
  if (rows.length === 0) return;
  await makeReceiversDue(database.pool, rows, new Date());
  await sendSignal(redis, 'deliveriesDue');
}
