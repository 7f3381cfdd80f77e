import path from 'node:path';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';

/** The built command line. */
export const mainFile = path.join(repositoryRoot, 'apps', 'ops', 'dist', 'main.js');

/**
 * Runs the built command line to its end, without a terminal. The data folder is an empty one unless `env` names another,
 * so that the platform of this checkout is not found.
 */
export async function runOps(args: readonly string[], env: Record<string, string> = {}) {
  const variables = { DATA_DIR: makeTestFolder('no-platform'), ...env };
  const run = startProcess({ name: 'ops', args: [mainFile, ...args], env: variables });
  const { code } = await run.exited;
  return { code, output: run.output() };
}
