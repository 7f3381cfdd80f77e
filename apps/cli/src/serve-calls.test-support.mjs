import { serveCommands } from '@capture/testing/processes/serve-commands';

/*
 * Runs the built command line for each call of the tests, one after the other in this process: to start Node takes more
 * processor time than most calls. What a call leaves in `process` is removed after it.
 */

const main = new URL('../dist/main.js', import.meta.url);
const { argv, env } = process;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let calls = 0;

serveCommands(async ({ args, env: own }) => {
  calls += 1;
  let output = '';
  const write = (chunk, ...more) => {
    output += chunk;
    more.find((each) => typeof each === 'function')?.();
    return true;
  };
  const streams = [process.stdout, process.stderr];
  for (const stream of streams) stream.write = write;
  process.argv = [...argv.slice(0, 1), main.pathname, ...args];
  process.env = { ...env, ...own };
  try {
    // Node evaluates a module again for another URL; what it imports is loaded once.
    await import(`${main}?${calls}`);
    return { code: process.exitCode ?? 0, output };
  } finally {
    process.exitCode = undefined;
    for (const stream of streams) {
      delete stream.write;
      stream.removeAllListeners('error');
    }
    for (const signal of signals) process.removeAllListeners(signal);
  }
});
