import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { findFreePort, tryPort } from './free-port.ts';
import { type PostgresOptions, type RunningPostgres, startPostgres } from './postgres.ts';

// A folder like that of `mktemp -d`: 0700, and everything below it is as closed to the server's own account.
let folder: string;
let running: RunningPostgres[];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'postgres-test-'));
  running = [];
});

afterEach(async () => {
  for (const server of running) await server.stop();
  rmSync(folder, { recursive: true });
});

async function start(options: Partial<PostgresOptions> = {}): Promise<RunningPostgres> {
  const server = await startPostgres({
    dataDir: path.join(folder, 'data'),
    superuserPassword: 'the-superuser',
    password: 'the-platform',
    logFile: path.join(folder, 'postgres.log'),
    port: await findFreePort(),
    report: () => {},
    ...options,
  });
  running.push(server);
  return server;
}

/** Starts it on the data of one that was killed, whose last processes may outlive it for a moment and forbid that. */
async function startAgain(options: Partial<PostgresOptions> = {}): Promise<RunningPostgres> {
  for (const end = Date.now() + 60_000; ; await sleep(100)) {
    try {
      return await start(options);
    } catch (error) {
      if (Date.now() > end || !/pre-existing shared memory/.test(String(error))) throw error;
    }
  }
}

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('an embedded Postgres', () => {
  it('gives the platform a database of its own and no more', async () => {
    const server = await start();
    await query(server.url, 'CREATE TABLE kept (id int)');
    const [self] = await query(
      server.url,
      `SELECT current_database() AS database, rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user`,
    );
    expect(self).toEqual({ database: 'capture', rolsuper: false, rolcreatedb: false });
    const wrong = server.url.replace('the-platform', 'guessed');
    await expect(query(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(statSync(path.join(folder, 'data')).mode & 0o777).toBe(0o700);
  });

  it('keeps what was committed when it is killed, and its address', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS id');
    first.kill();
    await first.exited;
    const second = await startAgain({ port: first.port });
    expect(second.port).toBe(first.port);
    expect(await query(second.url, 'SELECT count(*)::int FROM kept')).toEqual([{ count: 1000 }]);
  });

  it('listens on 127.0.0.1 only and stops listening when it is stopped', async () => {
    const server = await start();
    expect(await tryPort(server.port, '127.0.0.1')).toBe('taken');
    expect(await tryPort(server.port, '127.0.0.2')).toBe('free');
    await server.stop();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await tryPort(server.port, '127.0.0.1')).toBe('free');
  });

  it('starts although its lock file names a process that is somebody else by now', async () => {
    const first = await start();
    first.kill();
    await first.exited;
    // Postgres itself takes no notice of a process of another account, so this one has the account of the server.
    const { uid, gid } = statSync(path.join(folder, 'data'));
    const somebody = spawn('sleep', ['600'], { uid, gid });
    try {
      const lock = path.join(folder, 'data', 'postmaster.pid');
      writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, String(somebody.pid)));
      expect(await query((await startAgain()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      somebody.kill();
    }
  });

  it('begins anew after a start that was killed while it made the cluster', async () => {
    const unfinished = path.join(folder, 'data.unfinished');
    mkdirSync(unfinished);
    writeFileSync(path.join(unfinished, 'PG_VERSION'), '18\n');
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(existsSync(unfinished)).toBe(false);
  });

  it('says so when the folder was made with other secrets', async () => {
    await (await start()).stop();
    await expect(start({ superuserPassword: 'another' })).rejects.toThrow('made with other secrets');
  });

  it('leaves a folder alone that holds something else', async () => {
    const dataDir = path.join(folder, 'data');
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, 'letter.txt'), 'dear');
    chmodSync(dataDir, 0o700);
    await expect(start()).rejects.toThrow('something that is not a database');
    expect(readFileSync(path.join(dataDir, 'letter.txt'), 'utf8')).toBe('dear');
  });

  it('says what the server said when it cannot start', async () => {
    await expect(start({ settings: { shared_buffers: 'many' } })).rejects.toThrow(/shared_buffers/);
  });
});
