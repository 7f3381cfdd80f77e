import { firstIdAt } from '../ids.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'paused'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A range of deliveries that are adjacent in one index. */
export interface DeliveryRange {
  accountId: string | null;
  webhookId: string | null;
  /** The earliest creation time, inclusive. */
  since: Date | null;
  /** The latest creation time, exclusive. */
  until: Date | null;
}

/**
 * Returns the SQL conditions of a range on a delivery `d`. An id begins with its creation time in milliseconds, so a range of
 * times is a range of ids, by which the indexes are sorted. There is no additional condition on the time: the planner would treat
 * the two conditions as independent, expect few rows and read all rows of the range.
 *
 * @param values the statement's parameters so far; the function appends those of the conditions.
 */
export function rangeConditions(range: DeliveryRange, values: unknown[]): string[] {
  const conditions: string[] = [];
  const add = (value: string | null, condition: (parameter: string) => string) => {
    if (value !== null) conditions.push(condition(`$${values.push(value)}`));
  };
  const owner = ownerColumn(range);
  const isOf = (column: string) => (parameter: string) =>
    column === owner ? ownedBy(column, parameter) : `${column} = ${parameter}`;
  add(range.webhookId, isOf('d.webhook_id'));
  add(range.accountId, isOf('d.account_id'));
  add(range.since && firstDeliveryId(range.since), (parameter) => `d.id >= ${parameter}`);
  add(range.until && firstDeliveryId(range.until), (parameter) => `d.id < ${parameter}`);
  return conditions;
}

/** The column that the range's index begins with; null for deliveries of all accounts. */
function ownerColumn({ webhookId, accountId }: DeliveryRange): string | null {
  if (webhookId !== null) return 'd.webhook_id';
  return accountId === null ? null : 'd.account_id';
}

/** An id cannot encode a time before 1970. */
function firstDeliveryId(at: Date): string {
  return firstIdAt('dlv', new Date(Math.max(0, at.getTime())));
}

/**
 * SQL that selects the first deliveries of several statuses. The indexes are sorted by id within a status, so the statement
 * merges the first `limit` rows of each status and reads no other rows.
 *
 * @param select the select list and tables, up to the conditions; it must select `id` of a delivery `d`.
 * @param conditions includes the conditions of the range.
 * @param limit the parameter with the limit, such as `$1`.
 */
export function firstOfEach(
  statuses: readonly DeliveryStatus[],
  range: DeliveryRange,
  { select, conditions }: { select: string; conditions: readonly string[] },
  order: 'ASC' | 'DESC',
  limit: string,
): string {
  const owner = ownerColumn(range);
  const sorted = `${owner === null ? '' : `${ownerOrder(owner, order)}, `}d.id ${order}`;
  const arms = statuses.map(
    (status) => `(
      SELECT ${select} WHERE ${[`d.status = '${status}'`, ...conditions].join(' AND ')} ORDER BY ${sorted} LIMIT ${limit}
    )`,
  );
  return `SELECT * FROM (${arms.join(' UNION ALL ')}) AS merged ORDER BY id ${order} LIMIT ${limit}`;
}

/**
 * SQL: the time by the database's clock, which alone decides about leases. With the clock of a dispatcher, a dispatcher that is a
 * minute ahead would treat deliveries that others are sending as lost.
 *
 * @param at the parameter that contains another time in tests, such as `$2`, or null.
 */
export const timeOf = (at: string) => `coalesce(${at}::timestamptz, statement_timestamp())`;

/**
 * SQL: whether a delivery `d` has an attempt in progress. A claim whose attempt has not begun does not count: clearing its lease
 * cancels the claim.
 *
 * @param at see `timeOf`.
 */
export const inProgress = (at: string) =>
  `(d.status = 'pending' AND coalesce(d.lease_until > ${timeOf(at)}, false) AND d.begun_attempt = d.attempt)`;

/**
 * SQL: whether a delivery is still claimed, so that the outcome of its attempt may be recorded. The `CASE` hides the conditions
 * from the planner, so that it finds the delivery by its id. It would otherwise use an index of open deliveries, which it takes
 * for nearly empty although the index contains thousands of entries of ended claims after a busy minute.
 *
 * @param delivery the table's alias with a dot, or an empty string.
 * @param attempt the attempt's number.
 */
export const isClaimed = (delivery: '' | 'd.', attempt: string) =>
  `CASE WHEN ${delivery}attempt = ${attempt} AND ${delivery}status = 'pending' THEN ${delivery}lease_until IS NOT NULL END`;
