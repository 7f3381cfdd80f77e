import type pg from 'pg';
import type { Queryable } from '../database.ts';
import { firstIdAt, withPrefix } from '../ids.ts';
import { inSlices } from '../in-slices.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';
import { partitionedTable } from '../partitions/partitioned-tables.ts';
import { type Partition, readPartitions } from '../partitions/read-partitions.ts';
import { type PastRows, pastBefore, type Retention, removeOldRows } from '../retention/remove-old-rows.ts';
import { firstReceiver, type ReceiverSlices } from './receivers.ts';

/** The deliveries that one statement deletes. It takes a fraction of a second, so other transactions hardly wait. */
const chunkSize = 1_000;

/**
 * Deletes deliveries that ended before the retention, with their attempts and the events that no other delivery needs.
 *
 * @returns the approximate number of deleted deliveries.
 */
export async function deleteOldDeliveries(pool: pg.Pool, retention: Retention): Promise<number> {
  const deleted = await removeOldRows(pool, partitionedTable('delivery'), retention, pastDeliveries(retention));
  // A delivery, its attempts and its event have ids of the same moment, so they are in partitions of the same week.
  await removeOldRows(pool, partitionedTable('delivery_attempt'), retention, withDeliveries);
  await removeOldRows(pool, partitionedTable('event'), retention, withDeliveries);
  return deleted;
}

/**
 * How many days a pending delivery must be overdue before it fails: by then its receiver is too slow for its deliveries. A
 * delivery that was retried or resumed after the end of its retention also gets this time.
 */
const overdueDays = 1;

/** The error of a delivery that is still open when its retention ends. No attempt ends with these errors. */
const openTooLong = { paused: 'held_too_long', pending: 'pending_too_long' } as const;

/**
 * Fails deliveries that are still open when their retention ends: held for a paused or disabled endpoint, or overdue. They stay
 * in the log for another retention and can be retried. A delivery with an attempt in progress is left to a later run.
 *
 * @returns the number of failed deliveries per status.
 */
export async function failOldDeliveries(
  database: Queryable,
  retention: Retention,
): Promise<{ paused: number; pending: number }> {
  return {
    paused: await failInSlices(database, 'paused', retention),
    pending: await failInSlices(database, 'pending', retention),
  };
}

/** Visits each delivery once, whether or not it fails. */
async function failInSlices(
  database: Queryable,
  status: keyof typeof openTooLong,
  retention: Retention,
): Promise<number> {
  const past = firstIdAt('dlv', pastBefore(retention));
  const overdue = pastBefore({ at: retention.at, days: overdueDays });
  let after = '';
  let failed = 0;
  await inSlices(
    chunkSize,
    async (size) => {
      // While an attempt is in progress, `next_attempt_at` is the end of its lease.
      const { rows } = await database.query(
        `WITH seen AS MATERIALIZED (
           SELECT id FROM delivery WHERE ${ownedBy('status', '$1')} AND id > $2 AND id < $3
            ORDER BY ${ownerOrder('status', 'ASC')}, id LIMIT $4
         ), old AS MATERIALIZED (
           SELECT id FROM delivery
            WHERE id = ANY (ARRAY(SELECT id FROM seen)) AND status = $1
              AND (next_attempt_at IS NULL OR next_attempt_at < $5)
              FOR UPDATE SKIP LOCKED
         ), failed AS (
           UPDATE delivery SET status = 'failed', last_error = $6, completed_at = $7, next_attempt_at = NULL, lease_until = NULL
            WHERE id = ANY (ARRAY(SELECT id FROM old)) RETURNING 1
         )
         SELECT (SELECT count(*)::int FROM seen) AS seen, (SELECT max(id) FROM seen) AS last,
                (SELECT count(*)::int FROM failed) AS failed`,
        [status, after, past, size, overdue, openTooLong[status], retention.at],
      );
      after = rows[0].last ?? after;
      failed += rows[0].failed;
      return rows[0].seen;
    },
    retention.goOn,
  );
  return failed;
}

/** SQL: the first delivery with this status among the ids $1 to $2. The sort makes the planner read an index. */
const firstOfStatus = (status: string) =>
  `SELECT FROM (SELECT id FROM delivery WHERE status = '${status}' AND id >= $1 AND id < $2 ORDER BY id DESC LIMIT 1) AS d`;

/** SQL: an attempt that began after $3 at a delivery of the ids $1 to $2. Attempts are short: a late end means a late start. */
const lateAttempt = `SELECT FROM (SELECT started_at FROM delivery_attempt
                                   WHERE started_at >= $3::timestamptz - interval '1 hour'
                                     AND delivery_id >= $1 AND delivery_id < $2
                                   ORDER BY started_at DESC LIMIT 1) AS attempt`;

/** Open deliveries are needed, and deliveries that ended late, whether after an attempt or by failing without an attempt. */
function pastDeliveries(retention: Retention): PastRows {
  const endedBefore = pastBefore(retention);
  // A retry may have begun and ended since the first check. Only failed deliveries without an attempt are not read again, because
  // that would read row by row.
  const isOpenOrAttempted = async (database: Queryable, { from, to }: Partition): Promise<boolean> => {
    const { rows } = await database.query(
      `SELECT EXISTS (${firstOfStatus('pending')}) OR EXISTS (${firstOfStatus('paused')}) OR EXISTS (${lateAttempt}) AS needed`,
      [from ?? '', to, endedBefore],
    );
    return rows[0].needed;
  };
  return {
    async isNeeded(database, partition) {
      if (await isOpenOrAttempted(database, partition)) return true;
      const { rows } = await database.query(
        `SELECT EXISTS (SELECT FROM delivery
                         WHERE status = 'failed' AND completed_at >= $3 AND id >= $1 AND id < $2) AS needed`,
        [partition.from ?? '', partition.to, endedBefore],
      );
      return rows[0].needed;
    },
    isNeededNow: isOpenOrAttempted,
    slice: {
      removable: `r.status IN ('delivered', 'failed') AND r.completed_at < $4`,
      values: [endedBefore],
      also: {
        columns: 'r.id, r.event_id',
        ctes: `, attempts AS (
           DELETE FROM delivery_attempt WHERE delivery_id = ANY (ARRAY(SELECT id FROM gone))
         ), events AS (
           DELETE FROM event e
            WHERE e.id = ANY (ARRAY(SELECT event_id FROM gone))
              AND NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.id NOT IN (SELECT id FROM gone))
         )`,
      },
    },
  };
}

/** Attempts and events are needed as long as the deliveries of the same week, with which they are deleted. */
const withDeliveries: PastRows = {
  async isNeeded(database, { from, to }) {
    // This reads partitions instead of rows, because an index still has an entry for each row that was just deleted.
    const weeks = await readPartitions(database, partitionedTable('delivery'));
    if (weeks.some((week) => week.to === withPrefix('dlv', to))) return true;
    // The default partition contains the deliveries of weeks without a partition.
    const { rows } = await database.query(
      `SELECT EXISTS (SELECT FROM (SELECT id FROM delivery WHERE id >= $1 AND id < $2 ORDER BY id LIMIT 1) AS d) AS needed`,
      [from === null ? '' : withPrefix('dlv', from), withPrefix('dlv', to)],
    );
    return rows[0].needed;
  },
};

/**
 * Deletes receivers without open deliveries. A receiver that gets deliveries again counts as new.
 *
 * Works in slices by key, because the end of a capture waits for a receiver that is being deleted.
 *
 * @returns the number of deleted receivers.
 */
export async function deleteIdleReceivers(
  database: Queryable,
  { slice = chunkSize, goOn }: ReceiverSlices = {},
): Promise<number> {
  let last = firstReceiver;
  let deleted = 0;
  await inSlices(
    slice,
    async (size) => {
      // The subquery looks each receiver up separately: for a join the planner may read all receivers and all open deliveries.
      const { rows } = await database.query(
        `WITH seen AS MATERIALIZED (
           SELECT account_id, host FROM receiver WHERE (account_id, host) > ($1, $2) ORDER BY account_id, host LIMIT $3
         ), idle AS MATERIALIZED (
           SELECT r.ctid FROM seen CROSS JOIN LATERAL (
             SELECT r.ctid FROM receiver r
              WHERE r.account_id = seen.account_id AND r.host = seen.host AND r.next_due_at IS NULL
                AND (SELECT d.id FROM delivery d
                      WHERE d.account_id = seen.account_id AND d.host = seen.host AND d.status = 'pending' LIMIT 1) IS NULL
              LIMIT 1 FOR UPDATE OF r SKIP LOCKED
           ) AS r
         ), gone AS (
           DELETE FROM receiver WHERE ctid = ANY (ARRAY(SELECT ctid FROM idle)) RETURNING 1
         )
         SELECT (SELECT count(*)::int FROM seen) AS seen, (SELECT count(*)::int FROM gone) AS deleted, last.*
           FROM (SELECT account_id AS "accountId", host FROM seen ORDER BY account_id DESC, host DESC LIMIT 1) AS last`,
        [last.accountId, last.host, size],
      );
      const [found] = rows;
      if (!found) return 0;
      last = found;
      deleted += found.deleted;
      return found.seen;
    },
    goOn,
  );
  return deleted;
}
