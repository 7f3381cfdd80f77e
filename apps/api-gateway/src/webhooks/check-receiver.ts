import { invalidRequest } from '@capture/contract/errors';
import type { AddressRules } from '@capture/egress/address-rules';
import { checkUrl, webhookSchemes } from '@capture/egress/check-url';

/**
 * @param field the field that holds the URL.
 * @throws {ApiError} `INVALID_REQUEST` for a literal address that is not public; host names are checked on delivery.
 */
export function checkReceiver(
  { addressRules }: { addressRules: AddressRules },
  url: string | undefined,
  field = 'webhook_url',
): void {
  if (url !== undefined && checkUrl(addressRules, url, { schemes: webhookSchemes })) {
    throw invalidRequest([{ field, message: 'leads to an address that is not public' }]);
  }
}
