import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export interface Interpreter {
  /** The name of a file with a sample. */
  file: string;
  command: readonly [string, ...string[]];
  /** Arguments with which it ends at once, and Debian's packages with what samples import. */
  check: readonly string[];
  packages: readonly string[];
}

/** Debian's own Python: others do not see its packages. */
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

/** Whether the machine runs a language. With `CI` set, what is missing is installed from Debian's packages first. */
export function isAvailable({ command: [command], check, packages }: Interpreter): boolean {
  if (runs(command, check)) return true;
  if (!process.env.CI || process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: 'ignore', timeout: 300_000 } as const;
  execFileSync('apt-get', ['update'], options);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options);
  return runs(command, check);
}

function runs(command: string, check: readonly string[]): boolean {
  try {
    execFileSync(command, check, { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}
