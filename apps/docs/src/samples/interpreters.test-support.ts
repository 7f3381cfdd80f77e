import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installForTests } from '@capture/testing/processes/find-program';

export interface Interpreter {
  /** The name of a sample's file. */
  file: string;
  command: readonly [string, ...string[]];
  /** Arguments with which the command ends at once, and Debian's packages that samples import. */
  check: readonly string[];
  packages: readonly string[];
}

/** Debian's own Python, because other installations do not see its packages. */
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

export const interpreters: Readonly<Record<string, Interpreter>> = {
  curl: { file: 'sample.sh', command: ['sh'], check: ['-c', 'curl --version'], packages: ['curl'] },
  node: { file: 'sample.mjs', command: [process.execPath], check: ['--version'], packages: [] },
  python: {
    file: 'sample.py',
    command: [python],
    check: ['-c', 'import requests'],
    packages: ['python3', 'python3-requests'],
  },
  php: {
    file: 'sample.php',
    command: ['php'],
    check: ['-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    packages: ['php-cli', 'php-curl'],
  },
  go: { file: 'sample.go', command: ['go', 'run'], check: ['version'], packages: ['golang-go'] },
  ruby: { file: 'sample.rb', command: ['ruby'], check: ['--version'], packages: ['ruby'] },
};

/**
 * Makes sure that the machine runs a language: installs missing packages from Debian.
 *
 * @throws where that is not possible, with the packages to install.
 */
export async function needInterpreter({ command: [command], check, packages }: Interpreter): Promise<void> {
  if (runs(command, check)) return;
  await installForTests(command, packages);
  if (!runs(command, check)) throw new Error(`${command} does not run, although ${packages.join(', ')} are installed`);
}

function runs(command: string, check: readonly string[]): boolean {
  try {
    execFileSync(command, check, { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}
