import { Problem, problemOf } from './problem.ts';

export type Query = Record<string, string | number | null | undefined>;

export interface RequestOptions {
  body?: unknown;
  query?: Query;
  signal?: AbortSignal;
  /** Timeout of the response, milliseconds. */
  timeoutMs?: number;
  /** Makes a repeated request safe. */
  idempotencyKey?: string;
}

const defaultTimeoutMs = 20_000;

/**
 * Calls the API with the session cookie. The X-Requested-With header marks a request of the dashboard.
 *
 * @throws {Problem} for an error response, or without a response.
 */
export async function request<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Body> {
  const { body, query, signal, timeoutMs = defaultTimeoutMs, idempotencyKey } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      'X-Requested-With': 'dashboard',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  try {
    const response = await fetch(path + queryText(query), init);
    if (!response.ok) throw await problemOf(response);
    return (response.status === 204 ? undefined : await response.json()) as Body;
  } catch (error) {
    if (error instanceof Problem || signal?.aborted) throw error;
    if (timeout.aborted) {
      const message = `There was no response within ${Math.round(timeoutMs / 1_000)} seconds.`;
      throw new Problem({ status: 0, code: 'TOO_SLOW', message });
    }
    throw new Problem({ status: 0, code: 'NO_RESPONSE', message: 'The service could not be reached.' });
  }
}

function queryText(query: Query = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}
