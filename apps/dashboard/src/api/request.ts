import { Problem, problemOf } from './problem.ts';

export type Query = Record<string, string | number | null | undefined>;

export interface RequestOptions {
  body?: unknown;
  query?: Query;
  signal?: AbortSignal;
  /** How long the answer may take, milliseconds: no wait in the page is without an end. */
  withinMs?: number;
  /** For what must not happen twice when the same request is sent again. */
  idempotencyKey?: string;
}

const usualMs = 20_000;

/**
 * Asks the API. The session's cookie goes with it by itself; the header tells the service that its own page asks.
 *
 * @throws {Problem} for every answer that is no success, and where none came.
 */
export async function request<Answer>(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { body, query, signal, withinMs = usualMs, idempotencyKey } = options;
  const late = AbortSignal.timeout(withinMs);
  const asked: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      'X-Requested-With': 'dashboard',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, late]) : late,
  };
  try {
    const response = await fetch(path + queryText(query), asked);
    if (!response.ok) throw await problemOf(response);
    return (response.status === 204 ? undefined : await response.json()) as Answer;
  } catch (error) {
    if (error instanceof Problem || signal?.aborted) throw error;
    if (late.aborted) {
      const message = `There was no answer within ${Math.round(withinMs / 1_000)} seconds.`;
      throw new Problem({ status: 0, code: 'TOO_SLOW', message });
    }
    throw new Problem({ status: 0, code: 'NO_ANSWER', message: 'The service could not be reached.' });
  }
}

function queryText(query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
