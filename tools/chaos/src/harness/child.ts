import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { noteOpen } from '@capture/testing/open-resources';
import type { Answer } from './run-commands.ts';

/** A process of the harness itself that does what it is asked (see obey.ts). */
export interface Child<Asked> {
  pid: number;
  /** @throws what went wrong there, or that it has ended. */
  ask<Answered>(order: Asked): Promise<Answered>;
  /** SIGKILL, then waits for its end. */
  kill(): Promise<void>;
}

// Run from src (by Jest) as from dist, a process of its own needs the built file.
const built = path.join(import.meta.dirname, '..', '..', 'dist');

/** Starts a program of this package, named by its folder. It gets nothing of this process' environment. */
export function startChild<Asked extends object>(folder: string, args: readonly string[]): Child<Asked> {
  const child = spawn(process.execPath, [path.join(built, folder, 'main.js'), ...args], {
    detached: true,
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`the ${folder} could not be started`);
  const pending = new Map<number, (answer: Answer) => void>();
  let last = 0;
  child.on('message', (answer: Answer) => {
    pending.get(answer.number)?.(answer);
    pending.delete(answer.number);
  });
  const exited = once(child, 'exit').then(() => {
    closed();
    for (const [number, tell] of pending) tell({ number, error: `the ${folder} has ended` });
    pending.clear();
  });
  const kill = () => end(child, exited);
  const closed = noteOpen(`${folder} (pid ${pid})`, kill);
  return {
    pid,
    ask<Answered>(order: Asked) {
      last += 1;
      const number = last;
      return new Promise<Answered>((resolve, reject) => {
        pending.set(number, ({ answer, error }) =>
          error === undefined ? resolve(answer as Answered) : reject(new Error(error)),
        );
        child.send({ number, order }, (error) => {
          if (error) reject(error);
        });
      });
    },
    kill,
  };
}

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGKILL');
  await exited;
}
