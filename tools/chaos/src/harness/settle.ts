import { makeReceiversDue, type ReceiverKey } from '@capture/database/deliveries/receivers';
import { sendSignal } from '@capture/queue/signals';
import { type Platform, until } from './platform.ts';

/** Deliveries that have not come to an end. */
export async function countOpen({ database }: Platform): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS open FROM delivery WHERE status IN ('pending', 'paused')`,
  );
  return rows[0].open;
}

/** Nobody sends for so long before claims that their dispatchers hold are taken for lost, milliseconds. */
const quietMs = 12_000;

/**
 * A claim holds for half a minute beyond the receiver's time-out, to write down what came of it: one of which less than this
 * is left was over seconds ago, and not written down, seconds.
 */
const overdueS = 25;

/**
 * Waits until every delivery has come to its end, or it has been long enough: what is open then is told by the ledger.
 *
 * @param options.hurried lets claims that were lost end at once, as half a minute would: those of killed dispatchers, and
 * any when nothing has happened for a while.
 * @param options.unrecorded outcomes were lost with Postgres: attempts whose time-out is over are such.
 */
export async function settle(
  platform: Platform,
  {
    hurried,
    timeoutMs = hurried ? 100_000 : 300_000,
    unrecorded = false,
  }: { hurried: boolean; timeoutMs?: number; unrecorded?: boolean },
): Promise<void> {
  let seen = '';
  let seenAt = Date.now();
  const endAt = Date.now() + timeoutMs;
  await until(
    'the state of the deliveries',
    async () => {
      const open = await countOpen(platform);
      if (open === 0 || Date.now() > endAt) return true;
      const { hits, open: sending } = await platform.receiver.count();
      if (seen !== `${open} ${hits}` || sending > 0) {
        seen = `${open} ${hits}`;
        seenAt = Date.now();
      }
      if (hurried && unrecorded) await endClaims(platform, 'overdue');
      if (hurried) await endClaims(platform, Date.now() - seenAt > quietMs ? 'all' : platform.killed);
      return false;
    },
    timeoutMs + 60_000,
  );
}

/**
 * Lets the begun attempts of these dispatchers end, as time does: nobody will record them any more. `overdue` are anybody's
 * that should have been written down by now.
 */
export async function endClaims(
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
