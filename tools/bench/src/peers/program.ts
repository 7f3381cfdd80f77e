import { once } from 'node:events';
import type { PeerAccount } from './account.ts';
import { startPeerProcess } from './child.ts';
import type { Contender, Round, Shot, Taken } from './contender.ts';
import type { Answer, Order, Page } from './programs/run-commands.ts';

/** Starting a browser takes half a second; a machine under load may need many times that. */
const readyWithinMs = 60_000;

const closeWithinMs = 10_000;

type OrderOf = Order extends infer Each ? (Each extends Order ? Omit<Each, 'number'> : never) : never;

/** Starts one of the programs that draw (`programs/`), where it was copied to, and waits until its browser is there. */
export async function startProgram(options: {
  name: string;
  node: string;
  /** The program, in a folder that holds the packages it imports. */
  file: string;
  cwd: string;
  /** Where it may write. */
  folder: string;
  executablePath: string;
  concurrency: number;
  account: PeerAccount;
}): Promise<Contender> {
  const { name, node, file, cwd, folder, executablePath, concurrency } = options;
  const { account, args } = options.account;
  const settings = JSON.stringify({ executablePath, args, concurrency });
  const child = startPeerProcess({ name, command: node, args: [file, settings], cwd, folder, account });
  const pending = new Map<number, (answer: Answer) => void>();
  child.process.on('message', (answer: Answer) => {
    pending.get(answer.number)?.(answer);
    pending.delete(answer.number);
  });
  const failed = once(child.process, 'exit').then(() => {
    const error = `${name} ended: ${child.fault()}`;
    for (const [number, tell] of pending) tell({ number, error });
    pending.clear();
  });
  let last = 0;
  const ask = (order: OrderOf) =>
    new Promise<Answer>((resolve) => {
      last += 1;
      pending.set(last, resolve);
      child.process.send({ ...order, number: last }, (error) => {
        if (error) resolve({ number: last, error: error.message });
      });
    });

  const ready = new Promise<Answer>((resolve) => pending.set(0, resolve));
  const timer = setTimeout(() => child.process.kill('SIGKILL'), readyWithinMs);
  const started = await ready;
  clearTimeout(timer);
  if ('error' in started) throw new Error(started.error);
  return {
    name,
    async take(shot: Shot): Promise<Taken> {
      const answer = await ask({ type: 'take', page: pageOf(shot) });
      if ('bytes' in answer) return { ms: answer.ms, bytes: Buffer.from(answer.bytes) };
      throw new Error(`${name}: ${'error' in answer ? answer.error : 'another answer than was asked for'}`);
    },
    async takeAll(shots, concurrency): Promise<Round> {
      const answer = await ask({ type: 'take all', pages: shots.map(pageOf), concurrency });
      if ('sizes' in answer) return { ms: answer.ms, sizes: answer.sizes };
      throw new Error(`${name}: ${'error' in answer ? answer.error : 'another answer than was asked for'}`);
    },
    pids: () => [child.pid],
    async close() {
      await Promise.race([ask({ type: 'close' }), failed]);
      await child.ended(closeWithinMs);
    },
  };
}

function pageOf({ url, waitUntil = 'load', fullPage = false }: Shot): Page {
  return { url, waitUntil, fullPage };
}
