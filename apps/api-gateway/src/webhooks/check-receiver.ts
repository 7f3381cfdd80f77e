import { invalidRequest } from '@capture/contract/errors';
import type { AddressRules } from '@capture/egress/address-rules';
import { checkUrl, webhookSchemes } from '@capture/egress/check-url';

/**
 * @param field which field the URL came in.
 * @throws {ApiError} `INVALID_REQUEST` for a receiver whose address is literally not public; a name is judged later.
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
