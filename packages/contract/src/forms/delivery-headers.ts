import type { ContractForm } from './forms.ts';
import { type SignedDelivery, signatureHeaders } from './signatures.ts';

/** All headers of one attempt, of a real delivery as of a connectivity test: receivers can tell them apart by nothing. */
export function deliveryHeaders(form: ContractForm, delivery: SignedDelivery): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Capture-Webhooks/1.0',
    ...signatureHeaders(form, delivery),
  };
}
