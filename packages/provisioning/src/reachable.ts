import { Redis } from 'ioredis';
import pg from 'pg';
import { ProvisioningError } from './provisioning-error.ts';

const connectTimeoutMs = 10_000;

/**
 * Checks that the Postgres of a `DATABASE_URL` accepts the connection.
 *
 * @throws {ProvisioningError} that names the host and the reason, never the password.
 */
export async function expectPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw unreachable('DATABASE_URL', url, error);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Checks that the Redis of a `REDIS_URL` responds.
 *
 * @throws {ProvisioningError} that names the host and the reason, never the password.
 */
export async function expectRedis(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: connectTimeoutMs });
  // The reason arrives as an event; the call only rejects with `Connection is closed`.
  let reason: Error | undefined;
  client.on('error', (error: Error) => {
    reason = error;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw unreachable('REDIS_URL', url, reason ?? error);
  } finally {
    client.disconnect();
  }
}

function unreachable(name: string, url: string, error: unknown): ProvisioningError {
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  // A host name with several addresses fails with one error for all of them, which has no message.
  const reason = message || errors?.[0]?.message || code || 'no reason given';
  const { host } = new URL(url);
  return new ProvisioningError(
    `${name} cannot be used (${host}: ${reason}): start that server, correct ${name}, or unset it to use an embedded one.`,
  );
}
