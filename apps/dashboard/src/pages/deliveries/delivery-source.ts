/** Whose deliveries are looked at: where they are read and sent again, and where their pages are. */
export interface DeliverySource {
  api: string;
  page: string;
}

export const ownDeliveries: DeliverySource = { api: '/api/v1/webhooks/deliveries', page: '/deliveries' };

/** Those of all accounts, for the operator. */
export const allDeliveries: DeliverySource = { api: '/api/operator/deliveries', page: '/operator/deliveries' };
