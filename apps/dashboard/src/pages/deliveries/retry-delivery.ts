import { request } from '../../api/request.ts';
import type { Delivery } from '../../api/responses.ts';
import type { DeliverySource } from './delivery-source.ts';

/** Makes one attempt now, then starts a new schedule. */
export function retryDelivery({ api }: DeliverySource, id: string): Promise<Delivery> {
  return request('POST', `${api}/${encodeURIComponent(id)}/retry`, { idempotencyKey: crypto.randomUUID() });
}
