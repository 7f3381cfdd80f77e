import type { ErrorBody } from './responses.ts';

/** A failed request, as the dashboard shows it. */
export class Problem extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly code: ErrorBody['error_code'] | 'NO_RESPONSE' | 'TOO_SLOW';
  /** The request ID for support; null without a response. */
  readonly requestId: string | null;
  readonly details: readonly { field: string; message: string }[];
  /** Seconds until the request may be retried. */
  readonly retryAfterS: number | null;

  constructor(
    facts: Pick<Problem, 'status' | 'code' | 'message'> &
      Partial<Pick<Problem, 'requestId' | 'details' | 'retryAfterS'>>,
  ) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId ?? null;
    this.details = facts.details ?? [];
    this.retryAfterS = facts.retryAfterS ?? null;
  }
}

/** Returns the problem of an error response. The error page of a proxy has no error body. */
export async function problemOf(response: Response): Promise<Problem> {
  const { status, headers } = response;
  const body: Partial<ErrorBody> = await response.json().catch(() => ({}));
  const retryAfter = Number(headers.get('Retry-After'));
  return new Problem({
    status,
    code: body.error_code ?? 'INTERNAL',
    message: body.error_message ?? `The service responded with status ${status}.`,
    requestId: body.request_id ?? headers.get('X-Request-Id'),
    details: body.details ?? [],
    retryAfterS: retryAfter > 0 ? retryAfter : null,
  });
}

/** Turns any thrown value into a problem. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem({
    status: 0,
    code: 'INTERNAL',
    message: thrown instanceof Error ? thrown.message : String(thrown),
  });
}
