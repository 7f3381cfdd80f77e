import { countedAtMost } from '@capture/contract/counted-at-most';
import type { Queryable } from '../database.ts';
import { deliveryStatuses } from '../deliveries/delivery-conditions.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';

/** The work on many rows that is left to do in slices. */
export interface BulkWork {
  /** Changed or deleted endpoints with open deliveries that do not follow the change yet. */
  changedEndpoints: number;
  /**
   * The endpoints' deliveries to be held, sent or failed, counted up to `countedAtMost`; without those that only change their
   * URL.
   */
  deliveriesToChange: number;
  deletedAccounts: number;
  /** The deleted accounts' captures, counted up to `countedAtMost`. */
  capturesToDelete: number;
  /** The deleted accounts' deliveries, counted up to `countedAtMost`. */
  deliveriesToDelete: number;
}

/** The most endpoints or accounts whose rows are counted; there are rarely more than a few. */
const ownersAtMost = 20;

/** Reads how much bulk work is left. Reads only indexes, and no more rows than it counts: about 30 ms for each kind. */
export async function readBulkWork(database: Queryable): Promise<BulkWork> {
  const [endpoints, accounts, deliveries] = await Promise.all([
    database.query({
      name: 'count-deliveries-to-change',
      // The conditions match the changes of `followEndpoint`.
      text: `WITH changed AS MATERIALIZED (
               SELECT b.webhook_id, CASE e.status WHEN 'active' THEN '{paused}'::text[]
                                                  WHEN 'paused' THEN '{pending}' WHEN 'disabled' THEN '{pending}'
                                                  ELSE '{pending,paused}' END AS statuses
                 FROM endpoint_backlog b LEFT JOIN webhook_endpoint e ON e.id = b.webhook_id LIMIT $2
             )
             SELECT (SELECT count(*)::int FROM endpoint_backlog) AS owners, (SELECT count(*)::int FROM (
               SELECT FROM changed c CROSS JOIN LATERAL unnest(c.statuses) AS old (status) CROSS JOIN LATERAL (
                 SELECT FROM delivery d WHERE ${ownedBy('d.webhook_id', 'c.webhook_id')} AND d.status = old.status
                  ORDER BY ${ownerOrder('d.webhook_id', 'ASC')}, d.id ASC LIMIT $1) AS found
                LIMIT $1) AS counted) AS rows`,
      values: [countedAtMost, ownersAtMost],
    }),
    database.query({
      name: 'count-captures-to-delete',
      text: `WITH deleted AS MATERIALIZED (SELECT id FROM account WHERE deleted_at IS NOT NULL)
             SELECT (SELECT count(*)::int FROM deleted) AS owners, (SELECT count(*)::int FROM (
               SELECT FROM (SELECT id FROM deleted LIMIT $2) AS a CROSS JOIN LATERAL (
                 SELECT FROM capture c WHERE ${ownedBy('c.account_id', 'a.id')}
                  ORDER BY ${ownerOrder('c.account_id', 'DESC')}, c.id DESC LIMIT $1) AS found
                LIMIT $1) AS counted) AS rows`,
      values: [countedAtMost, ownersAtMost],
    }),
    database.query({
      name: 'count-deliveries-to-delete',
      text: `SELECT count(*)::int AS rows FROM (
               SELECT FROM (SELECT id FROM account WHERE deleted_at IS NOT NULL LIMIT $2) AS a
                CROSS JOIN unnest($3::text[]) AS of (status) CROSS JOIN LATERAL (
                 SELECT FROM delivery d WHERE ${ownedBy('d.account_id', 'a.id')} AND d.status = of.status
                  ORDER BY ${ownerOrder('d.account_id', 'DESC')}, d.id DESC LIMIT $1) AS found
                LIMIT $1) AS counted`,
      values: [countedAtMost, ownersAtMost, deliveryStatuses],
    }),
  ]);
  return {
    changedEndpoints: endpoints.rows[0].owners,
    deliveriesToChange: endpoints.rows[0].rows,
    deletedAccounts: accounts.rows[0].owners,
    capturesToDelete: accounts.rows[0].rows,
    deliveriesToDelete: deliveries.rows[0].rows,
  };
}
