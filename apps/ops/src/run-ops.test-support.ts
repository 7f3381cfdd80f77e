import path from 'node:path';
import { startProcess } from '@capture/testing/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';

/** The built command line. */
export const mainFile = path.join(repositoryRoot, 'apps', 'ops', 'dist', 'main.js');

/**
 * Runs the built command line to its end; nobody sits at a terminal. Unless `env` names a data folder it has an empty one,
 * so that no platform of this checkout is found.
 */
export async function runOps(args: readonly string[], env: Record<string, string> = {}) {
  const given = { DATA_DIR: makeTestFolder('no-platform'), ...env };
  const run = startProcess({ name: 'ops', args: [mainFile, ...args], env: given });
  const { code } = await run.exited;
  return { code, output: run.output() };
}
