import type { DeliveryStatus } from './find-delivery.ts';
import { firstIdAt } from './ids.ts';

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
  const add = (condition: string, value: string | null) => {
    if (value !== null) conditions.push(`${condition} $${values.push(value)}`);
  };
  add('d.webhook_id =', range.webhookId);
  add('d.account_id =', range.accountId);
  add('d.id >=', range.since && firstDeliveryId(range.since));
  add('d.id <', range.until && firstDeliveryId(range.until));
  return conditions;
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
 * @param limit the parameter that holds it, such as `$1`.
 */
export function firstOfEach(
  statuses: readonly DeliveryStatus[],
  select: string,
  conditions: readonly string[],
  order: 'ASC' | 'DESC',
  limit: string,
): string {
  const arms = statuses.map(
    (status) => `(
      SELECT ${select} WHERE ${[`d.status = '${status}'`, ...conditions].join(' AND ')} ORDER BY d.id ${order} LIMIT ${limit}
    )`,
  );
  return `SELECT * FROM (${arms.join(' UNION ALL ')}) AS merged ORDER BY id ${order} LIMIT ${limit}`;
}
