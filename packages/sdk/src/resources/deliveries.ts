import type { GetDeliveryResponse, ListDeliveriesQuery, RetryDeliveryResponse } from '../generated/api-types.ts';
import { type Listing, listingOf } from '../http/listing.ts';
import type { MakingOptions, RequestOptions, Transport } from '../http/transport.ts';

export type Delivery = RetryDeliveryResponse;
export type DeliveryWithAttempts = GetDeliveryResponse;

/** The log of webhook deliveries. API profile B. */
export class Deliveries {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(filter?: ListDeliveriesQuery, request?: RequestOptions): Listing<Delivery> {
    return listingOf(this.#transport, '/api/v1/webhooks/deliveries', 'deliveries', filter, request);
  }

  /** Returns a delivery with its payload and its attempts. */
  get(deliveryId: string, request?: RequestOptions): Promise<DeliveryWithAttempts> {
    return this.#transport.json({ method: 'GET', path: pathOf(deliveryId), repeat: 'safe' }, request);
  }

  /** Makes one attempt now, then starts a new schedule. */
  retry(deliveryId: string, request?: MakingOptions): Promise<Delivery> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(deliveryId)}/retry`, repeat: 'keyed' }, request);
  }
}

function pathOf(deliveryId: string): string {
  return `/api/v1/webhooks/deliveries/${encodeURIComponent(deliveryId)}`;
}
