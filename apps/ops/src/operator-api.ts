import { FailedError, UnreachableError } from './exit-codes.ts';
import type { Platform } from './find-platform.ts';

/** The platform's own error. */
export class OperatorApiError extends FailedError {
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

/**
 * One call of the operator API.
 *
 * @returns its JSON answer.
 * @throws {OperatorApiError} with the platform's own words. @throws {UnreachableError} when nobody answers.
 */
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
    throw new UnreachableError(`the platform at ${platform.baseUrl} does not answer; is it running?`, { cause });
  }
  const answer = (await response.json().catch(() => null)) as { error_message?: string; error_code?: string } | null;
  if (!response.ok) {
    const message = answer?.error_message ?? `the platform answered ${response.status}`;
    throw new OperatorApiError(message, { code: answer?.error_code });
  }
  return answer as Answer;
}

/**
 * Asks for what every platform of today has, whatever is stored in it.
 *
 * @throws {OperatorApiError} which says that the platform is older than this command line, where it does not know the path.
 */
export async function readOperatorApi<Answer>(platform: Platform, path: string): Promise<Answer> {
  try {
    return await callOperatorApi<Answer>(platform, 'GET', path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const [route] = path.split('?');
    const message = `the platform at ${platform.baseUrl} does not know /api/operator${route}: it is of an earlier version than this command line`;
    throw new OperatorApiError(message, { code: 'NOT_FOUND', cause: error });
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof OperatorApiError && error.code === 'NOT_FOUND';
