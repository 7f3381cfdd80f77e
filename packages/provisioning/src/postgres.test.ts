import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { findFreePort, tryPort } from './free-port.ts';
import { type PostgresOptions, type RunningPostgres, startPostgres } from './postgres.ts';
import { identifyProcess } from './process-identity.ts';

// `mktemp -d` creates a folder with mode 0700, so the server's account cannot enter it.
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

/** Starts a server on the data of a killed server, whose last processes may live on briefly and prevent the start. */
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
  it('gives the platform its own database and no other rights', async () => {
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

  it('keeps committed data and its address when it is killed', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS id');
    first.kill();
    await first.exited;
    const second = await startAgain({ port: first.port });
    expect(second.port).toBe(first.port);
    expect(await query(second.url, 'SELECT count(*)::int FROM kept')).toEqual([{ count: 1000 }]);
  });

  it('listens on 127.0.0.1 only, and stops listening when it is stopped', async () => {
    const server = await start();
    expect(await tryPort(server.port, '127.0.0.1')).toBe('taken');
    expect(await tryPort(server.port, '127.0.0.2')).toBe('free');
    await server.stop();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await tryPort(server.port, '127.0.0.1')).toBe('free');
  });

  it.each([
    { whose: 'another process', command: 'echo $$; exec sleep 600', runs: true },
    // A process stays a zombie until its parent waits for it. It ends after the shell has become a program that never waits.
    { whose: 'a zombie', command: 'sleep 0.2 & echo $!; exec sleep 600', runs: false },
  ])('starts although the process id in its lock file is that of $whose now', async ({ command, runs }) => {
    const first = await start();
    first.kill();
    await first.exited;
    // Postgres ignores processes of other accounts, so this process runs as the server's account.
    const { uid, gid } = statSync(path.join(folder, 'data'));
    const other = spawn('sh', ['-c', command], { uid, gid, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const pid = Number((await once(other.stdout, 'data'))[0]);
      while ((identifyProcess(pid) !== null) !== runs) await sleep(10);
      const lock = path.join(folder, 'data', 'postmaster.pid');
      writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, String(pid)));
      expect(await query((await startAgain()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      // Signal 0 reaches a zombie too, as Postgres finds it.
      expect(process.kill(pid, 0)).toBe(true);
    } finally {
      other.kill();
    }
  });

  it('starts after a start that was killed while it created the cluster', async () => {
    const unfinished = path.join(folder, 'data.unfinished');
    mkdirSync(unfinished);
    writeFileSync(path.join(unfinished, 'PG_VERSION'), '18\n');
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(existsSync(unfinished)).toBe(false);
  });

  it('reports that the folder was created with other secrets', async () => {
    await (await start()).stop();
    await expect(start({ superuserPassword: 'another' })).rejects.toThrow('created with other secrets');
  });

  it('does not change a folder with other content', async () => {
    const dataDir = path.join(folder, 'data');
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, 'letter.txt'), 'dear');
    chmodSync(dataDir, 0o700);
    await expect(start()).rejects.toThrow('contains files that are not a database');
    expect(readFileSync(path.join(dataDir, 'letter.txt'), 'utf8')).toBe('dear');
  });

  it("reports the server's error when it cannot start", async () => {
    await expect(start({ settings: { shared_buffers: 'many' } })).rejects.toThrow(/shared_buffers/);
  });
});
