import { CommanderError } from 'commander';
import { exitCodes, findExitCode } from './exit-codes.ts';
import { createProgram } from './program.ts';

// A reader that closes the pipe, as `head` does, is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

try {
  await createProgram(process.env).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  } else {
    const code = findExitCode(error);
    if (code === null) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = code;
  }
}
