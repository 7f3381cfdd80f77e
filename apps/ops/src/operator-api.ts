import type { Platform } from './find-platform.ts';

/** The platform's own error, or that it could not be reached: printed as one line, exit code 1. */
export class OperatorApiError extends Error {
  override name = 'OperatorApiError';
  /** The platform's `error_code`, if it answered with one. */
  readonly code: string | undefined;

  constructor(message: string, { code, ...options }: ErrorOptions & { code?: string | undefined } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** No operator call renders anything; one that takes longer has met a platform that hangs. Milliseconds. */
const answerWithinMs = 30_000;

/** One call of the operator API. @returns its JSON answer. @throws {OperatorApiError} with the platform's own words. */
export async function callOperatorApi<Answer>(
  platform: Platform,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`${platform.baseUrl}/api/operator${path}`, {
      method,
      headers: {
        authorization: `Bearer ${platform.operatorKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    });
  } catch (cause) {
    throw new OperatorApiError(`the platform at ${platform.baseUrl} does not answer; is it running?`, { cause });
  }
  const answer = (await response.json().catch(() => null)) as { error_message?: string; error_code?: string } | null;
  if (!response.ok) {
    const message = answer?.error_message ?? `the platform answered ${response.status}`;
    throw new OperatorApiError(message, { code: answer?.error_code });
  }
  return answer as Answer;
}
