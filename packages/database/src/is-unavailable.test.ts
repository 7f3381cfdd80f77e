import { createTestDatabase } from '@capture/testing/database';
import { findOwnPort } from '@capture/testing/network/own-port';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { isDatabaseUnavailable } from './is-unavailable.ts';
import { openDatabase } from './open-database.ts';

it('a server that is unreachable, ends the connection or has no free connection is unavailable, but not after a wrong statement', async () => {
  const unreachable = openDatabase({ url: `postgres://capture@127.0.0.1:${await findOwnPort()}/capture` });
  expect(isDatabaseUnavailable(await unreachable.pool.query('SELECT 1').catch((error) => error))).toBe(true);
  expect(isDatabaseUnavailable(await unreachable.prisma.account.findFirst().catch((error: unknown) => error))).toBe(
    true,
  );
  await unreachable.close();

  const reachable = await createTestDatabase();
  const client = new pg.Client({ connectionString: reachable.url });
  client.on('error', () => {});
  await client.connect();
  expect(isDatabaseUnavailable(await client.query('SELECT no_such_column').catch((error) => error))).toBe(false);
  expect(
    isDatabaseUnavailable(await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch((error) => error)),
  ).toBe(true);
  expect(isDatabaseUnavailable(await client.query('SELECT 1').catch((error) => error))).toBe(true);
  await client.end();

  const { prisma, pool, close } = openDatabase({ url: reachable.url, connections: 1 });
  expect(isDatabaseUnavailable(await prisma.$queryRaw`SELECT no_such_column`.catch((error: unknown) => error))).toBe(
    false,
  );
  const terminate = prisma.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())::text`;
  expect(isDatabaseUnavailable(await terminate.catch((error: unknown) => error))).toBe(true);
  const connection = await pool.connect();
  const noConnection = prisma.$transaction((tx) => tx.account.count()).catch((error: unknown) => error);
  expect(isDatabaseUnavailable(await noConnection)).toBe(true);
  connection.release();
  await close();
  await reachable.drop();
});

it('a value that is not an error does not mean that the server is unavailable', () => {
  expect(isDatabaseUnavailable('ECONNREFUSED')).toBe(false);
});
