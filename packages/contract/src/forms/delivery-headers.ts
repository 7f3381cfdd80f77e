import type { ContractForm } from './forms.ts';
import { type SignedDelivery, signatureHeaders } from './signatures.ts';

/** The headers of one attempt, which are the same for real deliveries and connectivity tests. */
export function deliveryHeaders(form: ContractForm, delivery: SignedDelivery): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Capture-Webhooks/1.0',
    ...signatureHeaders(form, delivery),
  };
}
