import { commandsTo } from '@capture/testing/processes/child-program';
import type { PeerAccount } from './account.ts';
import { startPeerProcess } from './child.ts';
import { type Peer, type Round, type Screenshot, type ScreenshotTask, viewport } from './contender.ts';
import type { Command, Page, Rendered } from './programs/run-commands.ts';

/** A browser starts in half a second, but a machine under load may need many times that. Milliseconds. */
const readyTimeoutMs = 60_000;

const closeTimeoutMs = 10_000;

/** Starts a copied program of `programs/`, and waits until its browser is ready. */
export async function startProgram(options: {
  name: string;
  node: string;
  /** The program, in a folder that holds the packages it imports. */
  file: string;
  cwd: string;
  /** The folder that the program may write to. */
  folder: string;
  executablePath: string;
  concurrency: number;
  account: PeerAccount;
}): Promise<Peer> {
  const { name, node, file, cwd, folder, executablePath, concurrency } = options;
  const { account, args } = options.account;
  const settings = JSON.stringify({ executablePath, args, concurrency });
  const child = startPeerProcess({ name, command: node, args: [file, settings], cwd, folder, account });
  const send = commandsTo<Command>(child.process, () => `${name} exited: ${child.fault()}`);
  const timer = setTimeout(() => child.process.kill('SIGKILL'), readyTimeoutMs);
  await send({ type: 'ready' });
  clearTimeout(timer);
  return {
    name,
    async take(task: ScreenshotTask): Promise<Screenshot> {
      const { ms, bytes } = await send<Rendered>({ type: 'take', page: pageOf(task) });
      return { ms, bytes: Buffer.from(bytes) };
    },
    takeAll: (tasks, concurrency) => send<Round>({ type: 'take all', pages: tasks.map(pageOf), concurrency }),
    pids: () => [child.pid],
    alive: child.alive,
    async close() {
      await send({ type: 'close' }).catch(() => undefined);
      await child.ended(closeTimeoutMs);
    },
  };
}

function pageOf(task: ScreenshotTask): Page {
  return { waitUntil: 'load', fullPage: false, viewport, ...task };
}
