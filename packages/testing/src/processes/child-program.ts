import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { noteOpen } from '../open-resources.ts';

/** A command to a child process, over IPC. */
export interface Request {
  number: number;
  command: unknown;
}

export interface Reply {
  number: number;
  result?: unknown;
  error?: string;
}

/** Sends commands to a child process that serves them (`serveCommands`). Rejects when the child fails or exits. */
export type SendCommand<Command> = <Result>(command: Command) => Promise<Result>;

/** @param describeExit the error of commands that are pending when the child exits. */
export function commandsTo<Command>(child: ChildProcess, describeExit: () => string): SendCommand<Command> {
  const pending = new Map<number, (reply: Reply) => void>();
  let last = 0;
  child.on('message', (reply: Reply) => {
    pending.get(reply.number)?.(reply);
    pending.delete(reply.number);
  });
  child.once('exit', () => {
    for (const [number, settle] of pending) settle({ number, error: describeExit() });
    pending.clear();
  });
  return <Result>(command: Command) => {
    last += 1;
    const number = last;
    return new Promise<Result>((resolve, reject) => {
      pending.set(number, ({ result, error }) =>
        error === undefined ? resolve(result as Result) : reject(new Error(error)),
      );
      child.send({ number, command } satisfies Request, (error) => {
        if (error) reject(new Error(describeExit(), { cause: error }));
      });
    });
  };
}

/** A program of a test tool in a separate process. */
export interface ChildProgram<Command> {
  pid: number;
  send: SendCommand<Command>;
  /** Sends SIGKILL, then waits for the end of the process. */
  kill(): Promise<void>;
}

/** Starts a built program that serves commands. The program inherits nothing of this process's environment. */
export function startChildProgram<Command>(
  name: string,
  file: string,
  args: readonly string[] = [],
): ChildProgram<Command> {
  const child = spawn(process.execPath, [file, ...args], {
    detached: true,
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`the ${name} could not be started`);
  const exited = once(child, 'exit').then(() => void closed());
  const kill = () => {
    child.kill('SIGKILL');
    return exited;
  };
  const closed = noteOpen(`${name} (pid ${pid})`, kill);
  return { pid, send: commandsTo(child, () => `the ${name} has exited`), kill };
}
