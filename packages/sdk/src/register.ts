import type { RegisterResponse } from './api-types.ts';
import { type ConnectionOptions, type RequestOptions, Transport } from './http/transport.ts';

/**
 * Registers an address and hands back its key, which is shown this once.
 *
 * @throws {EmailTakenError} for one that is registered already.
 */
export function register(
  { email, ...connection }: ConnectionOptions & { email: string },
  request?: RequestOptions,
): Promise<RegisterResponse> {
  const call = { method: 'POST', path: '/api/auth/register', body: { email }, repeat: 'once' } as const;
  return new Transport(connection, null).json(call, request);
}
