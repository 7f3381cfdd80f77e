/** The ids of a span, in hexadecimal: 32 and 16 digits. */
export interface SpanIds {
  traceId: string;
  spanId: string;
}

/** Crockford's base 32, as ULIDs are written in; an id of ours in lower case. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

const idForm = /^[a-z]{2,5}_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/**
 * The trace of a capture, a batch or a request, and its first span: read off the id. The 128 bits of its ULID are the
 * trace's id, the last 64 of them, which are random, the first span's. So a process that knows what it works on knows
 * which trace that belongs to; nothing needs to be stored or carried for it, and nothing can be lost.
 *
 * @returns null for what is not an id of ours.
 */
export function traceOf(id: string): SpanIds | null {
  const ulid = idForm.exec(id)?.[1];
  if (ulid === undefined) return null;
  let value = 0n;
  for (const digit of ulid) value = value * 32n + BigInt(digits.indexOf(digit));
  const traceId = value.toString(16).padStart(32, '0');
  return { traceId, spanId: traceId.slice(16) };
}
