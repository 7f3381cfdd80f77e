import type { ContractForm } from './forms.ts';
import { type SignedDelivery, signatureHeaders } from './signatures.ts';

/** The headers of one attempt; real deliveries and connectivity tests have the same. */
export function deliveryHeaders(form: ContractForm, delivery: SignedDelivery): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Capture-Webhooks/1.0',
    ...signatureHeaders(form, delivery),
  };
}
