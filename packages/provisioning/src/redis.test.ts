import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { findFreePort } from './free-port.ts';
import type { RunningServer } from './guarded-process.ts';
import { findRedis, type RedisOptions, startRedis } from './redis.ts';

let folder: string;
let running: RunningServer[];
let reported: string[];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'redis-test-'));
  running = [];
  reported = [];
});

afterEach(async () => {
  for (const server of running) await server.stop();
  rmSync(folder, { recursive: true });
});

async function start(options: Partial<RedisOptions> = {}): Promise<RunningServer> {
  const executable = await findRedis(process.env);
  if (!executable) throw new Error('the global setup installs a Redis');
  const server = await startRedis({
    executable,
    dataDir: path.join(folder, 'data'),
    password: 'the-password',
    logFile: path.join(folder, 'redis.log'),
    port: await findFreePort(),
    report: (line) => reported.push(line),
    ...options,
  });
  running.push(server);
  return server;
}

async function command(url: string, ...parts: [string, ...string[]]) {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.call(...parts);
  } finally {
    client.disconnect();
  }
}

describe('an embedded Redis', () => {
  it('requires its password, and shows it in no command line', async () => {
    const server = await start();
    expect(await command(server.url, 'PING')).toBe('PONG');
    const socket = connect(server.port, '127.0.0.1').end('PING\r\n');
    expect(await text(socket)).toContain('NOAUTH');
    if (process.platform === 'linux') {
      expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain('the-password');
      expect(readFileSync(`/proc/${server.pid}/environ`, 'utf8')).not.toContain('the-password');
    }
  });

  it('never evicts keys, and keeps its data when it is killed', async () => {
    const first = await start();
    expect(await command(first.url, 'CONFIG', 'GET', 'maxmemory-policy')).toContain('noeviction');
    await command(first.url, 'SET', 'due', 'work');
    first.kill();
    await first.exited;
    const second = await start({ port: first.port });
    expect(second.port).toBe(first.port);
    expect(await command(second.url, 'GET', 'due')).toBe('work');
  });

  it('moves data that it cannot read aside', async () => {
    const first = await start();
    await command(first.url, 'SET', 'due', 'work');
    await first.stop();
    const files = path.join(folder, 'data', 'appendonlydir');
    for (const name of readdirSync(files)) {
      if (!name.endsWith('.manifest'))
        writeFileSync(path.join(files, name), '*3\r\nnonsense in the middle\r\n'.repeat(9));
    }
    const second = await start();
    expect(await command(second.url, 'DBSIZE')).toBe(0);
    expect(reported.join()).toMatch(/could not read its data .*; moved it to .*unreadable/);
  });

  it("reports the server's error when it cannot start", async () => {
    await expect(start({ settings: { appendfsync: 'sometimes' } })).rejects.toThrow(
      /Redis ended while it was starting/,
    );
  });
});
