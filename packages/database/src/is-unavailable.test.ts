import { createTestDatabase } from '@capture/testing/database';
import { findOwnPort } from '@capture/testing/own-port';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from './database.ts';
import { isDatabaseUnavailable } from './is-unavailable.ts';

it('a server that is not there, or ends the connection, is away; a statement that is wrong says nothing of it', async () => {
  const nobody = openDatabase({ url: `postgres://capture@127.0.0.1:${await findOwnPort()}/capture` });
  expect(isDatabaseUnavailable(await nobody.pool.query('SELECT 1').catch((error) => error))).toBe(true);
  expect(isDatabaseUnavailable(await nobody.prisma.account.findFirst().catch((error: unknown) => error))).toBe(true);
  await nobody.close();

  const there = await createTestDatabase();
  const client = new pg.Client({ connectionString: there.url });
  client.on('error', () => {});
  await client.connect();
  expect(isDatabaseUnavailable(await client.query('SELECT nothing_of_this').catch((error) => error))).toBe(false);
  expect(
    isDatabaseUnavailable(await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch((error) => error)),
  ).toBe(true);
  expect(isDatabaseUnavailable(await client.query('SELECT 1').catch((error) => error))).toBe(true);
  await client.end();
  await there.drop();
});

it('what is no error at all is not', () => {
  expect(isDatabaseUnavailable('ECONNREFUSED')).toBe(false);
});
