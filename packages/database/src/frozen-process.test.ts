import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { noteOpen } from '@capture/testing/open-resources';
import { expect, it } from '@jest/globals';
import {
  eventContext,
  newAccount,
  reserve,
  rowOf,
  sendHeartbeats,
  useTestDatabase,
} from './captures/captures.test-support.ts';
import { scheduleCaptures } from './captures/schedule-captures.ts';
import { schedulingLock } from './locks.ts';

const database = await useTestDatabase();
const { pool } = database;
const { form } = eventContext('B');

/** A process that holds a transaction open. It sends its last statement without waiting for the result. */
const program = `
  const { openSqlDatabase, transaction } = await import(process.env.MODULE);
  const { pool } = openSqlDatabase({ url: process.env.URL });
  await transaction(pool, async (connection) => {
    for (const statement of JSON.parse(process.env.STATEMENTS)) await connection.query(statement);
    void connection.query(process.env.LAST).catch(() => undefined);
    process.stdout.write('holds its locks');
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });`;

/** Starts the process and freezes it while it holds its locks. */
async function freeze(statements: string[], last: string): Promise<{ kill(): void }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      MODULE: new URL('../dist/database.js', import.meta.url).href,
      URL: database.url,
      STATEMENTS: JSON.stringify(statements),
      LAST: last,
    },
  });
  const kill = () => {
    closed();
    child.kill('SIGKILL');
  };
  const closed = noteOpen(`process ${child.pid}`, kill);
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  return { kill };
}

// The last statement has a result that is larger than any buffer, so the server waits for the process to read it.
it.each([
  ['between two statements', 'SELECT 1'],
  ['while it reads rows', `SELECT repeat('x', 1000000) FROM generate_series(1, 1000)`],
])(
  'a process that freezes %s of a scheduling round does not block other rounds or its rows permanently',
  async (_, last) => {
    const { id: accountId } = await newAccount(database);
    const captureId = await reserve(pool, accountId);
    await sendHeartbeats(pool, { 'worker-1': 4 });
    const locks = [
      `SELECT pg_advisory_xact_lock(${schedulingLock})`,
      `UPDATE capture SET enqueued_at = now() WHERE id = '${captureId}'`,
    ];
    const frozen = await freeze(locks, last);
    try {
      expect(await scheduleCaptures(pool, form)).toEqual([{ id: captureId, attempt: 0 }]);
      expect((await rowOf(pool, 'capture', captureId)).enqueued_at).not.toBeNull();
    } finally {
      frozen.kill();
    }
  },
);
