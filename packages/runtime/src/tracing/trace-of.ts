/** The ids of a span, in hexadecimal: 32 and 16 digits. */
export interface SpanIds {
  traceId: string;
  spanId: string;
}

/** Crockford's base 32, the encoding of ULIDs; our ids are in lower case. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

const idForm = /^[a-z]{2,5}_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/**
 * Derives the trace of a capture, a batch or a request, and its root span, from the id. The 128 bits of its ULID are the trace
 * id; the last 64 of them, which are random, are the root span's id. Every process that works on the capture therefore knows its
 * trace without storing or passing it.
 *
 * @returns null if `id` is not an id of the platform.
 */
export function traceOf(id: string): SpanIds | null {
  const ulid = idForm.exec(id)?.[1];
  if (ulid === undefined) return null;
  let value = 0n;
  for (const digit of ulid) value = value * 32n + BigInt(digits.indexOf(digit));
  const traceId = value.toString(16).padStart(32, '0');
  return { traceId, spanId: traceId.slice(16) };
}
