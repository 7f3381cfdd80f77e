import { WebhookVerificationError } from './webhook-verification-error.ts';

/** Headers of a request: a `Headers` object, or a record such as Node's `request.headers`, in any case. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the value of a header by its lower-case name, or undefined. Repeated headers are joined as in HTTP. */
export function receivedHeader(headers: ReceivedHeaders, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

/** @throws {WebhookVerificationError} `missing_header` */
export function requiredHeader(headers: ReceivedHeaders, name: string): string {
  const value = receivedHeader(headers, name);
  if (value) return value;
  throw new WebhookVerificationError('missing_header', `The request has no header ${name}.`);
}

function isFetchHeaders(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
