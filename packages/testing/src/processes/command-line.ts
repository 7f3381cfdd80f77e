import path from 'node:path';
import { repositoryRoot } from '../test-run.ts';
import { startChildProgram } from './child-program.ts';

/** A call of a command line. */
export interface Call {
  args: readonly string[];
  env: Record<string, string>;
}

const program = path.join(repositoryRoot, 'packages', 'testing', 'dist', 'processes', 'serve-calls.js');

/** Starts a process that all calls share, each without a terminal. @param file of the built command line. */
export function startCommandLine(file: string) {
  const { send, kill } = startChildProgram<Call>('command line', program, [file]);
  return {
    run: (args: readonly string[], env: Record<string, string>) =>
      send<{ code: number; output: string }>({ args, env }),
    kill,
  };
}

export type CommandLine = ReturnType<typeof startCommandLine>;
