import type { RegisterResponse } from './generated/api-types.ts';
import { type ConnectionOptions, type RequestOptions, Transport } from './http/transport.ts';

/**
 * Creates an account and returns its API key, which is shown only once.
 *
 * @throws {EmailTakenError} if the email address is already registered.
 */
export function register(
  { email, ...connection }: ConnectionOptions & { email: string },
  request?: RequestOptions,
): Promise<RegisterResponse> {
  const call = { method: 'POST', path: '/api/auth/register', body: { email }, repeat: 'once' } as const;
  return new Transport(connection, null).json(call, request);
}
