import { Redis } from 'ioredis';
import pg from 'pg';
import { ProvisioningError } from './report.ts';

const answerWithinMs = 10_000;

/**
 * Makes sure that the Postgres of a `DATABASE_URL` lets us in.
 *
 * @throws {ProvisioningError} that names the host and the reason, never the password.
 */
export async function expectPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: answerWithinMs });
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
 * Makes sure that the Redis of a `REDIS_URL` answers.
 *
 * @throws {ProvisioningError} that names the host and the reason, never the password.
 */
export async function expectRedis(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: answerWithinMs });
  // The reason comes as an event; the rejected call only says that the connection is closed.
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
  // A name with several addresses fails with one error for all of them, which has no message of its own.
  const reason = message || errors?.[0]?.message || code || 'no reason given';
  const { host } = new URL(url);
  return new ProvisioningError(
    `${name} cannot be used (${host}: ${reason}): start that server, correct ${name}, or unset it to get an embedded one.`,
  );
}
