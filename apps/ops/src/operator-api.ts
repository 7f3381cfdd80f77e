import { FailedError, UnreachableError } from './exit-codes.ts';
import type { Platform } from './find-platform.ts';

/** An error response of the platform. */
export class OperatorApiError extends FailedError {
  override name = 'OperatorApiError';
  /** The platform's `error_code`, if the response had one. */
  readonly code: string | undefined;

  constructor(message: string, { code, ...options }: ErrorOptions & { code?: string | undefined } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The timeout of a call, milliseconds. Operator calls are quick, so a platform that takes longer hangs. */
const timeoutMs = 30_000;

/**
 * Calls the operator API.
 *
 * @returns the JSON body of the response.
 * @throws {OperatorApiError} with the platform's message.
 * @throws {UnreachableError} if the platform does not respond.
 */
export async function callOperatorApi<Body>(
  platform: Platform,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Body> {
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
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new UnreachableError(`the platform at ${platform.baseUrl} does not respond; is it running?`, { cause });
  }
  const json = (await response.json().catch(() => null)) as { error_message?: string; error_code?: string } | null;
  if (!response.ok) {
    const message = json?.error_message ?? `the platform responded with ${response.status}`;
    throw new OperatorApiError(message, { code: json?.error_code });
  }
  return json as Body;
}

/**
 * Reads a resource that every platform of this version has.
 *
 * @throws {OperatorApiError} that says that the platform is older than this command line, if the platform does not know the path.
 */
export async function readOperatorApi<Body>(platform: Platform, path: string): Promise<Body> {
  try {
    return await callOperatorApi<Body>(platform, 'GET', path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const [route] = path.split('?');
    const message = `the platform at ${platform.baseUrl} does not know /api/operator${route}: it is older than this command line`;
    throw new OperatorApiError(message, { code: 'NOT_FOUND', cause: error });
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof OperatorApiError && error.code === 'NOT_FOUND';
