import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteOpen } from '@capture/testing/open-resources';
import type { PeerAccount } from './account.ts';

export interface PeerChild {
  process: ChildProcess;
  pid: number;
  /** False once the process has ended. */
  alive(): boolean;
  /** Returns the printed line that names the error. */
  fault(): string;
  /** Waits for the end of the process, and ends it after a while. */
  ended(withinMs: number): Promise<void>;
}

const keptOutput = 4_096;

/**
 * Starts a program in a new process group, with a new home and nothing else of our environment.
 *
 * @param folder the folder for the home.
 */
export function startPeerProcess(options: {
  name: string;
  command: string;
  args: readonly string[];
  cwd: string;
  folder: string;
  env?: Record<string, string>;
  account: PeerAccount['account'];
}): PeerChild {
  const { name, command, args, cwd, folder, env = {}, account } = options;
  const home = mkdtempSync(path.join(folder, 'home-'));
  const temp = path.join(home, 'tmp');
  mkdirSync(temp);
  if (account) for (const each of [folder, home, temp]) chownSync(each, account.uid, account.gid);
  const child = spawn(command, args, {
    cwd,
    detached: true,
    env: { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: temp, LANG: 'en_US.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    ...account,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} could not be started: ${command}`);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-keptOutput);
    });
  }
  const exited = once(child, 'exit').then(() => closed());
  const ended = async (withinMs: number) => {
    const late = await Promise.race([exited.then(() => false), sleep(withinMs, true, { ref: false })]);
    if (late) child.kill('SIGKILL');
    await exited;
  };
  const closed = noteOpen(`${name} (pid ${pid})`, () => {
    child.kill('SIGKILL');
    return exited;
  });
  const alive = () => child.exitCode === null && child.signalCode === null;
  return { process: child, pid, alive, fault: () => faultIn(output), ended };
}

function faultIn(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find((line) => /\bError\b/.test(line))?.trim() ?? lines.at(-1) ?? '';
}
