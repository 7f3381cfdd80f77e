import { firstIdAt } from '../ids.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'paused'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A range of deliveries that one index holds together. */
export interface DeliveryRange {
  accountId: string | null;
  webhookId: string | null;
  /** Created at or after. */
  since: Date | null;
  /** Created before. */
  until: Date | null;
}

/**
 * The SQL conditions of a range on a delivery `d`. An id begins with its creation time in milliseconds, so a range of times
 * is a range of ids, by which the indexes are sorted. There is no extra condition on the time: the planner would treat the
 * two as independent, expect few rows and read all of them.
 *
 * @param values the statement's parameters so far; those of the conditions are appended.
 */
export function rangeConditions(range: DeliveryRange, values: unknown[]): string[] {
  const conditions: string[] = [];
  const add = (value: string | null, condition: (parameter: string) => string) => {
    if (value !== null) conditions.push(condition(`$${values.push(value)}`));
  };
  const owner = ownerOf(range);
  const isOf = (column: string) => (parameter: string) =>
    column === owner ? ownedBy(column, parameter) : `${column} = ${parameter}`;
  add(range.webhookId, isOf('d.webhook_id'));
  add(range.accountId, isOf('d.account_id'));
  add(range.since && firstDeliveryId(range.since), (parameter) => `d.id >= ${parameter}`);
  add(range.until && firstDeliveryId(range.until), (parameter) => `d.id < ${parameter}`);
  return conditions;
}

/** The column that the range's index begins with; null for deliveries of all accounts. */
function ownerOf({ webhookId, accountId }: DeliveryRange): string | null {
  if (webhookId !== null) return 'd.webhook_id';
  return accountId === null ? null : 'd.account_id';
}

/** Ids cannot encode a time before 1970. */
function firstDeliveryId(at: Date): string {
  return firstIdAt('dlv', new Date(Math.max(0, at.getTime())));
}

/**
 * SQL: the first deliveries of several statuses. The indexes are sorted by id within a status, so it merges the first
 * `limit` rows of each status and reads no others.
 *
 * @param select the select list and tables, up to the conditions; it must select `id` of a delivery `d`.
 * @param conditions includes those of the range.
 * @param limit the parameter that holds it, such as `$1`.
 */
export function firstOfEach(
  statuses: readonly DeliveryStatus[],
  range: DeliveryRange,
  { select, conditions }: { select: string; conditions: readonly string[] },
  order: 'ASC' | 'DESC',
  limit: string,
): string {
  const owner = ownerOf(range);
  const sorted = `${owner === null ? '' : `${ownerOrder(owner, order)}, `}d.id ${order}`;
  const arms = statuses.map(
    (status) => `(
      SELECT ${select} WHERE ${[`d.status = '${status}'`, ...conditions].join(' AND ')} ORDER BY ${sorted} LIMIT ${limit}
    )`,
  );
  return `SELECT * FROM (${arms.join(' UNION ALL ')}) AS merged ORDER BY id ${order} LIMIT ${limit}`;
}

/**
 * SQL: the time by the database's clock. Leases are taken and checked by this clock alone: with its own, a dispatcher that is
 * a minute ahead would take deliveries that others are sending for lost.
 *
 * @param at the parameter that holds another time for tests, such as `$2`, or null.
 */
export const timeOf = (at: string) => `coalesce(${at}::timestamptz, statement_timestamp())`;

/**
 * SQL: whether a delivery `d` has an attempt in progress. A claim that has not begun does not count: clearing its lease
 * cancels it.
 *
 * @param at as of `timeOf`.
 */
export const inProgress = (at: string) =>
  `(d.status = 'pending' AND coalesce(d.lease_until > ${timeOf(at)}, false) AND d.begun_attempt = d.attempt)`;

/**
 * SQL: whether a delivery is still claimed, so that the outcome of its attempt may be recorded. It is found by its id: the indexes
 * of open deliveries hold thousands of entries of ended claims after a busy minute, but the planner takes them for nearly empty.
 * It does not see through `CASE`.
 *
 * @param delivery the table's alias, with a dot, or nothing.
 * @param attempt the attempt's number.
 */
export const isClaimed = (delivery: '' | 'd.', attempt: string) =>
  `CASE WHEN ${delivery}attempt = ${attempt} AND ${delivery}status = 'pending' THEN ${delivery}lease_until IS NOT NULL END`;
