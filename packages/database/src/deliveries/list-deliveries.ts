import type { Queryable } from '../database.ts';
import { type DeliveryRange, firstOfEach, rangeConditions } from './delivery-range.ts';
import { type DeliveryStatus, deliveryColumns, deliveryStatuses, type StoredDelivery } from './find-delivery.ts';

export interface DeliveryPage extends DeliveryRange {
  status: DeliveryStatus | null;
  /** The name of the event. */
  event: string | null;
  /** The id of the last row of the page before. */
  after: string | null;
  limit: number;
}

/** One page of deliveries, newest first. */
export async function listDeliveries(database: Queryable, page: DeliveryPage): Promise<StoredDelivery[]> {
  const { rows } = await database.query<StoredDelivery>(deliveriesQuery(page));
  return rows;
}

/** What a page is read with: from an index, but for an event's name, which is looked for row by row. */
export function deliveriesQuery(page: DeliveryPage): { text: string; values: unknown[] } {
  const values: unknown[] = [page.limit];
  const conditions = rangeConditions(page, values);
  if (page.after !== null) conditions.push(`d.id < $${values.push(page.after)}`);
  if (page.event !== null) conditions.push(`e.name = $${values.push(page.event)}`);
  const statuses = page.status === null ? deliveryStatuses : [page.status];
  const select = `${deliveryColumns} FROM delivery d JOIN event e ON e.id = d.event_id`;
  return { text: firstOfEach(statuses, page, { select, conditions }, 'DESC', '$1'), values };
}
