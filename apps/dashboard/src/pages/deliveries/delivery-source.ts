import type { Delivery } from '../../api/responses.ts';

/** The API and pages of an account's deliveries, or of all deliveries. */
export interface DeliverySource {
  api: string;
  page: string;
}

export const ownDeliveries: DeliverySource = { api: '/api/v1/webhooks/deliveries', page: '/deliveries' };

export const allDeliveries: DeliverySource = { api: '/api/operator/deliveries', page: '/operator/deliveries' };

/** A delivery, with its account for the operator. */
export type OwnedDelivery = Delivery & { account_id?: string; account_email?: string };
