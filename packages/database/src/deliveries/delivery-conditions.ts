import { firstIdAt } from '../ids.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';
import type { DeliveryStatus } from './find-deliveries.ts';

/** Which deliveries: a part of the table that one of its indexes holds together. */
export interface DeliveryRange {
  accountId: string | null;
  webhookId: string | null;
  /** Created from then on. */
  since: Date | null;
  /** Created before then. */
  until: Date | null;
}

/**
 * The conditions of a range on a delivery `d`. An id begins with the time at which its delivery was created, to the
 * millisecond, so that a range of times is one of ids, which the indexes are sorted by. The time is not asked for beside
 * it: the planner would take the two for independent, expect few rows and read all of them.
 *
 * @param values the statement's parameters so far; those of the conditions are added.
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

/** The column that the range's index begins with; null for deliveries of everybody. */
function ownerOf({ webhookId, accountId }: DeliveryRange): string | null {
  if (webhookId !== null) return 'd.webhook_id';
  return accountId === null ? null : 'd.account_id';
}

/** No id tells of a time before 1970. */
function firstDeliveryId(at: Date): string {
  return firstIdAt('dlv', new Date(Math.max(0, at.getTime())));
}

/**
 * The indexes are sorted by id within a status: the first of some statuses are the first of each, merged. So no more than
 * `limit` rows of each are read, however many there are.
 *
 * @param select what is read of a delivery `d`, up to its conditions; its `id` must be among it.
 * @param conditions those of the range among them.
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
 * SQL: whether a delivery `d` has an attempt under way. One that is claimed but not begun waits: without its lease the
 * claim cannot be begun any more.
 *
 * @param at the parameter that holds the time, such as `$2`.
 */
export const underWay = (at: string) =>
  `(d.status = 'pending' AND coalesce(d.lease_until > ${at}, false) AND d.begun_attempt = d.attempt)`;
