import { pathToFileURL } from 'node:url';
import type { Call } from './command-line.ts';
import { serveCommands } from './serve-commands.ts';

/**
 * Runs a built command line, whose file is the argument, for each call of the tests, one after the other in this process,
 * because starting Node takes more processor time than most calls. Changes of a call to `process` are undone after the call.
 */

const { argv, env } = process;
// The standard error of the tests may be a terminal.
Object.assign(process.stderr, { isTTY: false });
const [node = '', , file = ''] = argv;
const main = pathToFileURL(file);
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let calls = 0;

serveCommands(async ({ args, env: own }: Call) => {
  calls += 1;
  let output = '';
  const write = (chunk: unknown, ...more: unknown[]) => {
    output += chunk;
    const done = more.find((each) => typeof each === 'function');
    if (done) (done as () => void)();
    return true;
  };
  const streams = [process.stdout, process.stderr];
  for (const stream of streams) stream.write = write;
  process.argv = [node, file, ...args];
  process.env = { ...env, ...own };
  try {
    // Node evaluates a module again for another URL, but loads its imports once.
    await import(`${main}?${calls}`);
    return { code: process.exitCode ?? 0, output };
  } finally {
    process.exitCode = undefined;
    for (const stream of streams) {
      Reflect.deleteProperty(stream, 'write');
      stream.removeAllListeners('error');
    }
    for (const signal of signals) process.removeAllListeners(signal);
  }
});
