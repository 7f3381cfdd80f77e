// The way in from a fresh clone: `npm start`, `npm test`, `npm run ops`, `capture`, `chaos`, `fuzz` and `bench` all begin
// here. It needs nothing but Node and npm: it installs the packages and builds them when that is due, and then becomes what
// was asked for, in this process.
//   node bootstrap.mjs start | start-built | test [arguments of Jest] | ops | capture | chaos | fuzz | bench [arguments]

/** Node's modules are loaded late, so that an old Node gets as far as the sentence about its age. */
async function main() {
  const tooOld = ageOfNode();
  if (tooOld) return fail(tooOld);
  if (process.platform === 'win32') return fail('Windows itself is not supported: run this inside WSL 2.');

  endWithNpm();
  const [command, ...args] = process.argv.slice(2);
  switch (command) {
    case 'start':
      await install();
      await turbo('building', 'build');
      return become('apps/standalone/dist/main.js', args);
    case 'test':
      await install();
      await turbo('building', 'build');
      await turbo('checking types', 'typecheck');
      return test(args);
    case 'start-built':
      // The platform of one call of `capture`, which is itself what was built.
      await buildOnce('apps/standalone/dist/main.js');
      return become('apps/standalone/dist/main.js', args);
    case 'ops':
      // Somebody else's terminal reads what this prints: nothing is done, or said, that is not needed.
      await buildOnce('apps/ops/dist/main.js');
      return become('apps/ops/dist/main.js', args);
    case 'capture':
      await buildOnce('apps/cli/dist/main.js');
      standWhereTheUserIs();
      return become('apps/cli/dist/main.js', args);
    case 'chaos':
    case 'bench':
    case 'fuzz':
      await install();
      await turbo('building', 'build');
      return become(`tools/${command}/dist/main.js`, args);
    default:
      return fail(
        'Use: npm start, npm test [-- arguments of Jest], npm run ops | capture | chaos | fuzz | bench [-- arguments].',
      );
  }
}

/**
 * When npm, which started this process, is killed with SIGKILL, it passes nothing on: its end counts as a SIGTERM. One
 * who starts this file without npm may leave it running alone.
 */
function endWithNpm() {
  const { npm_lifecycle_event: startedByNpm } = process.env;
  if (!startedByNpm) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  timer.unref();
}

/** The lines of Node that the packages support: 20.19, 22.12 and 24 on, without the odd ones in between. */
function ageOfNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const supported = major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (supported) return null;
  return `Node.js 20.19 or later is needed (22.12 or later of version 22; not 21 or 23) and this is ${process.versions.node}: install a newer one from https://nodejs.org and run the command again.`;
}

/** Installs the packages if there are none, or if the lock file is newer than what was installed last. */
async function install() {
  const { stat } = await import('node:fs/promises');
  // npm writes this file last, so that an installation which was broken off has none.
  const installed = await stat(await at('node_modules/.package-lock.json')).catch(() => null);
  const wanted = await stat(await at('package-lock.json'));
  if (installed && installed.mtimeMs >= wanted.mtimeMs) return;
  const { npm_execpath: npm } = process.env;
  const [command, ...args] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  // The tools for building are needed even where NODE_ENV=production is set.
  const result = await run('installing packages', command, [...args, 'ci', '--include=dev', '--no-audit', '--no-fund']);
  if (result.code === 0) return;
  // npm tells the reason first and then, at length, how it can be called.
  const reasons = result.output.split('\n').filter((line) => line.startsWith('npm error'));
  const shown = reasons.length > 0 ? reasons.slice(0, 15).join('\n') : lastLines(result.output, 15);
  fail(
    `${shown}\n\nThe packages could not be installed (see above): make sure that the package registry can be reached and the disk is not full, then run the command again.`,
  );
}

/** Runs a task of all packages; those whose files have not changed since the last time cost nothing. */
async function turbo(what, task) {
  const file = await at('node_modules/turbo/bin/turbo');
  const options = ['--output-logs=errors-only', '--log-order=grouped', '--ui=stream'];
  const result = await run(what, process.execPath, [file, 'run', task, ...options]);
  if (result.code === 0) return;
  fail(
    `${lastLines(result.output, 60)}\n\nThis failed while ${what} (see above). If you have changed nothing, remove the folder node_modules and run the command again.`,
  );
}

/** Files are named from the user's folder, not from that of the checkout, which npm goes to first. */
function standWhereTheUserIs() {
  const { INIT_CWD: folder } = process.env;
  if (folder) process.chdir(folder);
}

/** Installs and builds where that was never done; what is built is not looked at again. */
async function buildOnce(file) {
  if ((await exists('node_modules/.package-lock.json')) && (await exists(file))) return;
  await install();
  await turbo('building', 'build');
}

async function test(args) {
  const { spawn } = await import('node:child_process');
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = await at('node_modules/jest/bin/jest.js');
  // In the same process group and on the same terminal, so that Jest can be used as usual (`--watch`, Ctrl-C).
  const child = spawn(process.execPath, [...options, jest, ...args], { cwd: await at('.'), stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? signalCode(signal)));
}

/** Goes on as another program, in this process: it gets the signals, and nothing is left between it and npm. */
async function become(file, args) {
  const { pathToFileURL } = await import('node:url');
  const program = await at(file);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

/**
 * Runs a command to its end, says what it does and for how long, and keeps its output for the case that it fails. It has
 * a process group of its own, so that a signal, whether it comes to this process or to the terminal's whole group, ends
 * all of it, and then this process.
 */
async function run(what, command, args) {
  const { spawn } = await import('node:child_process');
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  say(`${what} …`);
  const child = spawn(command, args, {
    cwd: await at('.'),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // Prisma's native engine and Puppeteer's browser are not used; a closed network would refuse their downloads.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PUPPETEER_SKIP_DOWNLOAD: 'true',
      // Nobody is told that this is being built.
      TURBO_TELEMETRY_DISABLED: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  let output = '';
  const keep = (chunk) => {
    output = (output + chunk).slice(-200_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has just ended.
    }
  };
  let asked = null;
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const handler = () => {
      // npm would finish its work first on a SIGINT.
      end(asked ? 'SIGKILL' : 'SIGTERM');
      asked = signal;
      setTimeout(end, 5_000, 'SIGKILL').unref();
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  // Somebody who waits for minutes wants to know that it is still at it.
  const heartbeat = setInterval(() => say(`still ${what} (${seconds()} s)`), 20_000);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += `\n${error.message}`;
      resolve(1);
    });
    child.on('close', (exitCode, signal) => resolve(exitCode ?? signalCode(signal)));
  });
  clearInterval(heartbeat);
  for (const remove of handlers) remove();
  if (asked) process.exit(signalCode(asked));
  if (code === 0 && seconds() > 2) say(`done in ${seconds()} s`);
  return { code, output };
}

function signalCode(signal) {
  return { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 }[signal] ?? 1;
}

async function at(file) {
  const { fileURLToPath } = await import('node:url');
  return fileURLToPath(new URL(file, import.meta.url));
}

async function exists(file) {
  const { access } = await import('node:fs/promises');
  return access(await at(file)).then(
    () => true,
    () => false,
  );
}

function lastLines(text, count) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

function say(line) {
  process.stderr.write(`  ${line}\n`);
}

function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}

main().catch((error) => fail(String(error?.stack ?? error)));
