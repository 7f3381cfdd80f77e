import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { noteOpen } from '@capture/testing/open-resources';

/** A server of the bench's own in a process of its own, so that nobody who is measured waits for the one who measures. */
export interface ServerProcess {
  port: number;
  pid: number;
  /** Sends it a message, and resolves with its answer. */
  ask<Answer>(what: object): Promise<Answer>;
  close(): Promise<void>;
}

// Run from src as from dist, a process of its own needs the built file.
const built = path.join(import.meta.dirname, '..', 'dist');

/**
 * Starts one of the programs of this package, named by its folder, and waits until it tells its port. It gets nothing of
 * this process' environment.
 *
 * @param first what it is to be told before that.
 */
export async function startServer(folder: string, args: readonly string[], first?: object): Promise<ServerProcess> {
  const child = spawn(process.execPath, [path.join(built, folder, 'main.js'), ...args], {
    detached: true,
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(() => closed());
  const close = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const closed = noteOpen(`${folder} (pid ${child.pid})`, close);
  const ask = async <Answer>(what?: object): Promise<Answer> => {
    const answered = once(child, 'message') as Promise<[Answer]>;
    if (what) child.send(what);
    const failed = exited.then(() => Promise.reject(new Error(`the ${folder} has ended`)));
    const [answer] = await Promise.race([answered, failed]);
    return answer;
  };
  const { port } = await ask<{ port: number }>(first);
  return { port, pid: child.pid ?? 0, ask, close };
}
