import { type SpawnOptions, spawn } from 'node:child_process';

export interface CommandResult {
  /** The exit code; null if a signal ended the command or it could not be started. */
  code: number | null;
  /** The standard output and error, interleaved, at most the last 64 kB. */
  output: string;
  /** The reason why the command could not be started (`ENOENT`, `EACCES`, …); null if it was started. */
  startError: string | null;
}

const keptOutput = 64 * 1024;

/**
 * Runs a command to its end and returns its output. Never throws: the caller decides which exit codes are failures.
 *
 * @param options.timeoutMs after this time the command is killed with SIGKILL, and its code is null.
 * @param options.input the command's standard input; empty by default.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> & {
    timeoutMs: number;
    input?: string;
    /** The open files that the command gets as its descriptors 3, 4, … */
    files?: readonly number[];
  },
): Promise<CommandResult> {
  const { timeoutMs, input, files, ...spawnOptions } = options;
  return new Promise((resolve) => {
    let output = '';
    let startError: string | null = null;
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const child = spawn(command, args, { ...spawnOptions, stdio: [stdin, 'pipe', 'pipe', ...(files ?? [])] });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-keptOutput);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    // A command that ends without reading its input closes the pipe, which is not an error.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', (error: NodeJS.ErrnoException) => {
      startError = error.code ?? error.message;
      // A command that could not be started emits no `close`.
      if (child.pid === undefined) {
        clearTimeout(timer);
        resolve({ code: null, output, startError });
      }
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output, startError });
    });
  });
}

/** Returns the last line of an output that is not blank, which is usually the reason of a failure. */
export function lastLine(output: string): string {
  return output.trim().split('\n').pop()?.trim() ?? '';
}
