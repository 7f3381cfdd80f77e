import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockDataFolder } from '@capture/provisioning/data-folder-lock';
import { identifyProcess } from '@capture/provisioning/process-identity';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder } from '@capture/testing/test-run';
import { beforeEach, describe, expect, it } from '@jest/globals';

let folder: string;
let reported: string[];
const report = (line: string) => reported.push(line);

beforeEach(() => {
  folder = makeTestFolder('lock');
  reported = [];
});

describe('the lock of a data folder', () => {
  it('rejects a second platform, in one sentence, until it is released', async () => {
    const lock = await lockDataFolder(folder, report);
    await expect(lockDataFolder(folder, report)).rejects.toThrow(
      `Another platform (process ${process.pid}) runs on ${folder}: stop it`,
    );
    lock.release();
    (await lockDataFolder(folder, report)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken over from a process that was killed', async () => {
    const holder = startProcess({ name: 'holder', args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'] });
    await holder.waitForOutput(/up/);
    writeFileSync(path.join(folder, 'lock'), JSON.stringify(identifyProcess(holder.pid)));
    await expect(lockDataFolder(folder, report)).rejects.toThrow(`process ${holder.pid}`);
    await holder.kill();
    (await lockDataFolder(folder, report)).release();
  });

  it('is taken over if the process id was reused meanwhile', async () => {
    writeFileSync(path.join(folder, 'lock'), JSON.stringify({ pid: process.pid, startedAt: 'before the last boot' }));
    (await lockDataFolder(folder, report)).release();
  });

  it('is waited for while its holder is stopping', async () => {
    const first = await lockDataFolder(folder, report);
    first.announceStop();
    const second = lockDataFolder(folder, (line) => {
      report(line);
      first.release();
    });
    (await second).release();
    expect(reported.join()).toContain('is stopping; waiting');
  });

  it('is waited for only for a limited time', async () => {
    const first = await lockDataFolder(folder, report);
    first.announceStop();
    await expect(lockDataFolder(folder, report, 1)).rejects.toThrow('Another platform');
    first.release();
  });

  it('goes to exactly one of several processes that find a stale lock', async () => {
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(path.join(folder, 'lock'), '{"pid": 1, "startedAt": "long ago"}');
      const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => lockDataFolder(folder, report)));
      const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      expect(JSON.parse(readFileSync(path.join(folder, 'lock'), 'utf8'))).toEqual(identifyProcess(process.pid));
      winners[0]?.value.release();
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});
