// The entry point of a fresh clone: `npm start`, `npm test`, `npm run ops`, `capture`, `chaos`, `fuzz`, `bench` and `corpus` start here.
// It needs nothing but Node and npm: it installs and builds the packages when needed, then runs the command in this process.
//   node bootstrap.mjs start | start-built | test [arguments of Jest] | ops | capture | chaos | fuzz | bench | corpus [arguments]

/** Modules are imported late, so that an old Node still prints the message about its version. */
async function main() {
  const unsupported = checkNodeVersion();
  if (unsupported) return fail(unsupported);
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
      // The platform that `capture` starts for itself, already built.
      await buildOnce('apps/standalone/dist/main.js');
      return become('apps/standalone/dist/main.js', args);
    case 'ops':
      // Scripts read this output, so it prints and does nothing extra.
      await buildOnce('apps/ops/dist/main.js');
      return become('apps/ops/dist/main.js', args);
    case 'capture':
      await buildOnce('apps/cli/dist/main.js');
      useCallersFolder();
      return become('apps/cli/dist/main.js', args);
    case 'chaos':
    case 'bench':
    case 'fuzz':
    case 'corpus':
      await install();
      await turbo('building', 'build');
      return become(`tools/${command}/dist/main.js`, args);
    default:
      return fail(
        'Use: npm start, npm test [-- arguments of Jest], npm run ops | capture | chaos | fuzz | bench | corpus [-- arguments].',
      );
  }
}

/**
 * npm forwards signals but not SIGKILL. When npm started this process and is gone, this process ends as after a SIGTERM.
 * Started without npm, it may outlive its parent.
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

/** Supported versions: 20.19, 22.12, 24 and later, without the odd versions in between. */
function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const supported = major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (supported) return null;
  return `This needs Node.js 20.19, 22.12, 24 or later; the installed version is ${process.versions.node}: install a supported version from https://nodejs.org and run the command again.`;
}

/** Installs the packages if none are installed, or if the lock file is newer. */
async function install() {
  const { stat } = await import('node:fs/promises');
  // npm writes this file last, so an interrupted installation has none.
  const installed = await stat(await at('node_modules/.package-lock.json')).catch(() => null);
  const wanted = await stat(await at('package-lock.json'));
  if (installed && installed.mtimeMs >= wanted.mtimeMs) return;
  const { npm_execpath: npm } = process.env;
  const [command, ...args] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  // The build tools are needed even where NODE_ENV=production is set.
  const result = await run('installing packages', command, [...args, 'ci', '--include=dev', '--no-audit', '--no-fund']);
  if (result.code === 0) return;
  // npm prints the reason first, then its usage.
  const reasons = result.output.split('\n').filter((line) => line.startsWith('npm error'));
  const shown = reasons.length > 0 ? reasons.slice(0, 15).join('\n') : lastLines(result.output, 15);
  fail(
    `${shown}\n\nThe packages could not be installed (see above): make sure that the package registry can be reached and the disk is not full, then run the command again.`,
  );
}

/** Runs a task in all packages. Turbo skips packages that have not changed. */
async function turbo(what, task) {
  const file = await at('node_modules/turbo/bin/turbo');
  const options = ['--output-logs=errors-only', '--log-order=grouped', '--ui=stream'];
  const result = await run(what, process.execPath, [file, 'run', task, ...options]);
  if (result.code === 0) return;
  fail(
    `${lastLines(result.output, 60)}\n\nThis failed while ${what} (see above). If you have changed nothing, remove the folder node_modules and run the command again.`,
  );
}

/** npm changes to the checkout; paths on the command line are relative to the caller's folder. */
function useCallersFolder() {
  const { INIT_CWD: folder } = process.env;
  if (folder) process.chdir(folder);
}

/** Installs and builds only if that has never happened. */
async function buildOnce(file) {
  if ((await exists('node_modules/.package-lock.json')) && (await exists(file))) return;
  await install();
  await turbo('building', 'build');
}

async function test(args) {
  const { spawn } = await import('node:child_process');
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = await at('node_modules/jest/bin/jest.js');
  // Same process group and terminal, so that `--watch` and Ctrl-C work.
  const child = spawn(process.execPath, [...options, jest, ...args], { cwd: await at('.'), stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? signalCode(signal)));
}

/** Runs another program in this process, so that it receives the signals itself. */
async function become(file, args) {
  const { pathToFileURL } = await import('node:url');
  const program = await at(file);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

/**
 * Runs a command, prints progress and keeps its output in case it fails. The command has its own process group, so that a
 * signal to this process or to the terminal's group ends the command first, and then this process.
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
      // Prisma's native engine and Puppeteer's browser are not used, and closed networks refuse their downloads.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PUPPETEER_SKIP_DOWNLOAD: 'true',
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
      // The process group has already ended.
    }
  };
  let stopSignal = null;
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const handler = () => {
      // On SIGINT npm would finish its work first.
      end(stopSignal ? 'SIGKILL' : 'SIGTERM');
      stopSignal = signal;
      setTimeout(end, 5_000, 'SIGKILL').unref();
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  // Shows that a long step still runs.
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
  if (stopSignal) process.exit(signalCode(stopSignal));
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
