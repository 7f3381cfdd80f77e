import type { ErrorBody } from './responses.ts';

/** What went wrong with a request, as it is told to a person. */
export class Problem extends Error {
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly code: ErrorBody['error_code'] | 'NO_ANSWER' | 'TOO_SLOW';
  /** What support needs to find the request in the log; null where there was no answer. */
  readonly requestId: string | null;
  readonly details: readonly { field: string; message: string }[];
  /** After how many seconds the same request may be tried again. */
  readonly retryAfterS: number | null;

  constructor(
    what: Pick<Problem, 'status' | 'code' | 'message'> &
      Partial<Pick<Problem, 'requestId' | 'details' | 'retryAfterS'>>,
  ) {
    super(what.message);
    this.status = what.status;
    this.code = what.code;
    this.requestId = what.requestId ?? null;
    this.details = what.details ?? [];
    this.retryAfterS = what.retryAfterS ?? null;
  }
}

/** An answer's own words where it has the one error body; a proxy's page in between has not. */
export async function problemOf(response: Response): Promise<Problem> {
  const { status, headers } = response;
  const body: Partial<ErrorBody> = await response.json().catch(() => ({}));
  const retryAfter = Number(headers.get('Retry-After'));
  return new Problem({
    status,
    code: body.error_code ?? 'INTERNAL',
    message: body.error_message ?? `The service answered with status ${status}.`,
    requestId: body.request_id ?? headers.get('X-Request-Id'),
    details: body.details ?? [],
    retryAfterS: retryAfter > 0 ? retryAfter : null,
  });
}

/** Whatever was thrown, as a problem. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem({
    status: 0,
    code: 'INTERNAL',
    message: thrown instanceof Error ? thrown.message : String(thrown),
  });
}
