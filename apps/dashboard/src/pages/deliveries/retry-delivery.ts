import type { Delivery } from '../../api/answers.ts';
import { request } from '../../api/request.ts';

/** One attempt now, then a fresh schedule. */
export function retryDelivery(id: string): Promise<Delivery> {
  return request('POST', `/api/v1/webhooks/deliveries/${id}/retry`, { idempotencyKey: crypto.randomUUID() });
}
