/** The API and pages of an account's deliveries, or of all deliveries. */
export interface DeliverySource {
  api: string;
  page: string;
}

export const ownDeliveries: DeliverySource = { api: '/api/v1/webhooks/deliveries', page: '/deliveries' };

/** Deliveries of all accounts, for the operator. */
export const allDeliveries: DeliverySource = { api: '/api/operator/deliveries', page: '/operator/deliveries' };
