import path from 'node:path';
import { startCommandLine } from '@capture/testing/processes/command-line';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';

/** The built command line. */
export const mainFile = path.join(repositoryRoot, 'apps', 'ops', 'dist', 'main.js');

/**
 * Runs the built command line to its end, without a terminal. The data folder is empty unless `env` names another, so that the
 * platform of this checkout is not found.
 */
export async function runOps(args: readonly string[], env: Record<string, string> = {}) {
  const variables = { DATA_DIR: makeTestFolder('no-platform'), ...env };
  const run = startProcess({ name: 'ops', args: [mainFile, ...args], env: variables });
  const { code } = await run.exited;
  return { code, output: run.output() };
}

/** Runs calls as `runOps` does, but in a shared process: starting a process takes more processor time than most calls. */
export function shareOps() {
  const DATA_DIR = makeTestFolder('no-platform');
  const { run, kill } = startCommandLine(mainFile);
  return {
    run: (args: readonly string[], env: Record<string, string> = {}) => run(args, { DATA_DIR, ...env }),
    kill,
  };
}
