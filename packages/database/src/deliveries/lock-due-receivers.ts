import { type Queryable, queryInIndexOrder } from '../database.ts';
import { timeOf } from './delivery-conditions.ts';
import type { Blocked, DueReceiver } from './share-slots.ts';

/** The most receivers of one round; the others follow in the next round. */
const receiversAtMost = 200;

/** If more receivers are due than this, a round reads only the first few receivers of some accounts. */
const dueAtMost = 1_000;

/** The most accounts of such a round; a hundred accounts take a millisecond. */
const accountsAtMost = 500;

/** The most receivers of each kind (prompt, slow, new) that such a round reads of each account. */
const ofAccountAtMost = 16;

/** The position of a process's rounds among the accounts, while too many receivers are due to read them all. */
export interface AccountPosition {
  /** The last account that was read; empty at first. */
  after: string;
}

/** SQL: the number of due receivers, counted up to one more than a round can read. */
export const countDue = (at: string) =>
  `SELECT count(*)::int FROM (SELECT FROM receiver WHERE next_due_at <= ${timeOf(at)} LIMIT ${dueAtMost + 1}) AS due`;

/** The due receivers of one round. */
export interface LockedReceivers {
  due: DueReceiver[];
  /** Whether receivers may be due that this round did not read. */
  more: boolean;
}

/**
 * Locks due receivers: first each account's first receiver, then each account's second, and so on, so that an account with a
 * thousand hosts does not fill the round. If there are too many receivers to read them all, accounts take turns too, so that the
 * cost of a round does not grow with one account's hosts, which may be a hundred thousand.
 *
 * Recording an outcome locks the receiver last. A locked receiver is skipped, and its outcome makes it due again. No other
 * transaction changes the receivers locked here until the round ends.
 *
 * @param count the number of due receivers, by `countDue`.
 */
export async function lockDueReceivers(
  connection: Queryable,
  { accountIds, newOf, allNew, allSlow }: Blocked,
  at: Date | null,
  count: number,
  position: AccountPosition,
): Promise<LockedReceivers> {
  const values = [at, accountIds, newOf, allNew, allSlow, receiversAtMost];
  if (count <= dueAtMost) {
    position.after = '';
    const { rows: due } = await connection.query<DueReceiver>({
      name: 'lock-due-receivers',
      text: lockFirst(`
        SELECT account_id, host, next_due_at FROM receiver
         WHERE next_due_at <= ${timeOf('$1')} AND account_id <> ALL($2)
           AND CASE WHEN prompt IS NULL THEN NOT $4 AND account_id <> ALL($3) ELSE prompt OR NOT $5 END`),
      values,
    });
    return { due, more: due.length === receiversAtMost };
  }
  const accounts = await nextAccounts(connection, position);
  position.after = accounts.length < accountsAtMost ? '' : (accounts.at(-1) ?? '');
  const { rows: due } = await queryInIndexOrder<DueReceiver>(connection, {
    name: 'lock-due-receivers-of-accounts',
    text: lockFirst(`
      SELECT account_id, host, next_due_at FROM unnest($7::text[]) AS waiting (id) CROSS JOIN LATERAL (
        ${firstOfKinds.join(' UNION ALL ')}
      ) AS first WHERE id <> ALL($2)`),
    values: [...values, accounts],
  });
  return { due, more: due.length > 0 || position.after !== '' };
}

/** SQL: the first due receivers of the account `waiting.id`, by kind, as the index has them. */
const firstOfKinds = [
  'prompt = true',
  'prompt = false AND NOT $5',
  'prompt IS NULL AND NOT $4 AND waiting.id <> ALL($3)',
].map(
  (kind) => `(
    SELECT account_id, host, next_due_at FROM receiver
     WHERE account_id = waiting.id AND next_due_at <= ${timeOf('$1')} AND ${kind}
     ORDER BY prompt, next_due_at LIMIT ${ofAccountAtMost})`,
);

/** SQL that locks the first of some due receivers, in the order of their turns. */
const lockFirst = (found: string) => `
  WITH due AS (
    SELECT account_id, host, next_due_at, row_number() OVER (PARTITION BY account_id ORDER BY next_due_at) AS turn
      FROM (${found}) AS found
  ), chosen AS MATERIALIZED (
    SELECT account_id, host, turn FROM due ORDER BY turn, next_due_at LIMIT $6
  )
  SELECT r.account_id AS "accountId", r.host, r.prompt
    FROM receiver r JOIN chosen USING (account_id, host)
   WHERE r.next_due_at <= ${timeOf('$1')}
   ORDER BY chosen.turn, r.next_due_at FOR UPDATE OF r SKIP LOCKED`;

/** Reads the next accounts with open deliveries in the order of their ids, stepping from one to the next on an index. */
async function nextAccounts(connection: Queryable, { after }: AccountPosition): Promise<string[]> {
  const next = (id: string) => `
    SELECT account_id FROM receiver WHERE account_id > ${id} AND next_due_at IS NOT NULL ORDER BY account_id LIMIT 1`;
  const { rows } = await queryInIndexOrder<{ id: string }>(connection, {
    name: 'next-accounts-with-deliveries',
    text: `WITH RECURSIVE step (id, number) AS (
             SELECT account_id, 1 FROM (${next('$1')}) AS first
             UNION ALL
             SELECT next.account_id, step.number + 1 FROM step CROSS JOIN LATERAL (${next('step.id')}) AS next
              WHERE step.number < $2
           )
           SELECT id FROM step`,
    values: [after, accountsAtMost],
  });
  return rows.map(({ id }) => id);
}
