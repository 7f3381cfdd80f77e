import type { LinkPolicy } from '@capture/contract/links/link-policy';
import type { Queryable } from '../database.ts';
import { forTime, inSlices } from '../in-slices.ts';
import { forgettingMs, type LinkTarget } from './link-renders.ts';

/** The limits of a policy on the renders of a day. */
export type LinkBound = 'renders_per_link' | 'renders_per_host' | 'renders_per_day';

/** SQL: today, as the limits count days. */
const today = `(now() AT TIME ZONE 'UTC')::date`;

/**
 * Counts a render of a link, in the transaction that reserves its capture. That transaction has locked the usage of the account,
 * so two renders of an account are never counted at the same time. Counts only if the policy has a limit.
 *
 * @param render.month the month whose quota the transaction reserved; the row of that usage exists.
 * @returns the limit that is used up; the caller must then not commit the transaction.
 */
export async function countLinkRender(
  connection: Queryable,
  { target, host, month, policy }: { target: LinkTarget; host: string; month: string; policy: LinkPolicy },
): Promise<LinkBound | null> {
  const { accountId, fingerprint } = target;
  const { renders_per_link: perLink, renders_per_host: perHost, renders_per_day: perDay } = policy;
  const link = { accountId, subject: `link ${fingerprint.toString('hex')}`, atMost: perLink };
  if (!(await isWithin(connection, link))) return 'renders_per_link';
  if (!(await isWithin(connection, { accountId, subject: `host ${host}`, atMost: perHost }))) return 'renders_per_host';
  if (!(await isWithinDay(connection, { accountId, month, atMost: perDay }))) return 'renders_per_day';
  return null;
}

async function isWithin(
  connection: Queryable,
  { accountId, subject, atMost }: { accountId: string; subject: string; atMost: number | undefined },
): Promise<boolean> {
  if (atMost === undefined) return true;
  const { rowCount } = await connection.query({
    name: 'count-link-bound',
    text: `INSERT INTO link_bound (account_id, day, subject, renders)
           SELECT $1, ${today}, $2, 1 WHERE $3::int > 0
           ON CONFLICT (account_id, day, subject) DO UPDATE SET renders = link_bound.renders + 1
            WHERE link_bound.renders < $3::int`,
    values: [accountId, subject, atMost],
  });
  return rowCount === 1;
}

async function isWithinDay(
  connection: Queryable,
  { accountId, month, atMost }: { accountId: string; month: string; atMost: number | undefined },
): Promise<boolean> {
  if (atMost === undefined) return true;
  const { rowCount } = await connection.query({
    name: 'count-link-render',
    text: `UPDATE usage
              SET link_renders = CASE WHEN link_day = ${today} THEN link_renders + 1 ELSE 1 END, link_day = ${today}
            WHERE account_id = $1 AND month = $2 AND $3::int > 0
              AND (link_day IS DISTINCT FROM ${today} OR link_renders < $3::int)`,
    values: [accountId, month, atMost],
  });
  return rowCount === 1;
}

const removedAtOnce = 1_000;

/** Deletes the counts of past days. */
export async function forgetLinkBounds(database: Queryable): Promise<void> {
  await inSlices(
    removedAtOnce,
    async (size) => {
      const { rowCount } = await database.query(
        `DELETE FROM link_bound WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM link_bound WHERE day < ${today} ORDER BY day LIMIT $1 FOR UPDATE SKIP LOCKED))`,
        [size],
      );
      return rowCount ?? 0;
    },
    forTime(forgettingMs),
  );
}
