import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@capture/testing/database';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { RowCount } from './count-rows.ts';

let client: pg.Client;
let close: () => Promise<void>;
beforeEach(async () => {
  const database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  close = async () => {
    await client.end();
    await database.drop();
  };
  await client.query('CREATE TABLE one (n int, body text); CREATE TABLE two (LIKE one)');
});
afterEach(() => close());

/** Creates a slow stage, so that data piles up before it and buffers are reused. */
const slowly = () => {
  let passed = 0;
  return new Transform({
    async transform(chunk, _encoding, done) {
      passed += 1;
      if (passed % 8 === 0) await sleep(1);
      done(null, chunk);
    },
  });
};

const fingerprintOf = async (table: string) =>
  (await client.query(`SELECT count(*)::int AS rows, md5(string_agg(body, ',' ORDER BY n)) AS md5 FROM ${table}`)).rows;

it('a table is copied out and in unchanged, however slowly it is read, and its rows are counted', async () => {
  // Some rows are longer than one read from the connection; some contain line feeds, tabs and backslashes.
  await client.query(
    String.raw`INSERT INTO one SELECT n, repeat(md5(n::text) || E'\n\t\\', CASE WHEN n % 500 = 0 THEN 9000 ELSE n % 20 END)
       FROM generate_series(1, 10000) n`,
  );
  const count = new RowCount();
  const chunks: Buffer[] = [];
  await pipeline(client.query(copyTo('COPY one TO STDOUT')), slowly(), count, async (bytes) => {
    for await (const chunk of bytes) chunks.push(chunk);
  });
  expect(count.rows).toBe(10_000);
  const copy = client.query(copyFrom('COPY two FROM STDIN'));
  await pipeline(chunks, slowly(), copy);
  expect(copy.rowCount).toBe(10_000);
  expect(await fingerprintOf('two')).toEqual(await fingerprintOf('one'));
});

it('an empty table has no rows', async () => {
  const count = new RowCount();
  await pipeline(client.query(copyTo('COPY one TO STDOUT')), count.resume());
  expect(count.rows).toBe(0);
});
