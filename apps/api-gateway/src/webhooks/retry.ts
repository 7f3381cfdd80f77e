import { ApiError, invalidRequest } from '@capture/contract/errors';
import type { Queryable } from '@capture/database/database';
import { findDelivery, type StoredDelivery } from '@capture/database/deliveries/find-deliveries';
import { retryDelivery } from '@capture/database/deliveries/retry-delivery';

export const noSuchDelivery = () => new ApiError('NOT_FOUND', 'There is no delivery with this ID (dlv_…).');

/**
 * Retries one delivery, for its account or the operator.
 *
 * @param connection of a transaction.
 * @param delivery.accountId the account that must own the delivery; null for the operator.
 * @throws {ApiError} `NOT_FOUND`; `INVALID_REQUEST` unless its registered endpoint is active.
 */
export async function retry(
  connection: Queryable,
  delivery: { id: string; accountId: string | null },
): Promise<StoredDelivery> {
  const retried = await retryDelivery(connection, delivery);
  if (retried.outcome === 'not found') throw noSuchDelivery();
  if (retried.outcome === 'refused') {
    const remedy = retried.endpoint === 'deleted' ? '' : '; set it active first';
    throw invalidRequest([
      { field: 'id', message: `belongs to a delivery whose webhook is ${retried.endpoint}${remedy}` },
    ]);
  }
  const found = await findDelivery(connection, delivery);
  if (!found) throw noSuchDelivery();
  return found;
}
