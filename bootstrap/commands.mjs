import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { exists, fail, inCheckout, lastLines } from './checkout.mjs';
import { withLock } from './checkout-lock.mjs';
import { hasPackages, installedPackages, installPackages } from './packages.mjs';
import { say } from './progress.mjs';
import { run, signalCode } from './run.mjs';

export async function runCommand(command, args) {
  switch (command) {
    case 'start':
      await prepare({ apps: services, last: 'Starting the platform' });
      return become('apps/standalone/dist/main.js', args);
    case 'test':
      await prepare({ tasks: ['build', 'typecheck'], last: 'Running the tests' });
      return test(args);
    case 'build':
      return prepare({});
    case 'start-built':
      // `capture` may start the platform, which must be built.
      await prepareOnce('apps/standalone/dist/main.js', services);
      return become('apps/standalone/dist/main.js', args);
    case 'ops':
      // Scripts read the output of `ops`, so this command prints nothing about builds.
      await prepareOnce('apps/ops/dist/main.js', ['ops']);
      return become('apps/ops/dist/main.js', args);
    case 'capture':
      // The SDK's types come from the gateway's OpenAPI document.
      await prepareOnce('apps/cli/dist/main.js', ['cli', 'api-gateway']);
      useCallersFolder();
      return become('apps/cli/dist/main.js', args);
    case 'chaos':
    case 'bench':
    case 'fuzz':
    case 'corpus':
      await prepare({});
      return become(`tools/${command}/dist/main.js`, args);
    default:
      return fail(
        'Use: npm start, npm test [-- arguments of Jest], npm run build, npm run ops | capture | chaos | fuzz | bench | corpus [-- arguments].',
      );
  }
}

/** The apps that `npm start` runs and serves. */
const services = ['standalone', 'api-gateway', 'capture-worker', 'webhook-dispatcher', 'dashboard', 'docs'];

const taskNames = { build: 'Building', typecheck: 'Checking types' };

/** Does the work of `prepareAlone` once other processes have finished installing and building. */
const prepare = (options) => withLock(() => prepareAlone(options));

/**
 * Installs the packages that are missing and runs tasks.
 *
 * @param {{ apps?: string[], tasks?: string[], last?: string }} options `apps` lists the needed apps; by default everything is
 * needed, including tests and tools. `last` names the caller's next step.
 */
async function prepareAlone({ apps, tasks = ['build'], last }) {
  const wanted = apps ? 'start' : 'all';
  const installed = await installedPackages();
  const installs = installed !== 'all' && installed !== wanted;
  const names = [
    ...(installs ? ['Installing packages'] : []),
    ...tasks.map((task) => taskNames[task]),
    ...(last ? [last] : []),
  ];
  const numberStep = (name) => `${name} (${names.indexOf(name) + 1} of ${names.length})`;
  if (installs) await installPackages({ step: numberStep('Installing packages'), wanted, installed });
  // If everything is installed, everything is built, as before a test.
  const filters = installed === 'all' ? [] : turboFilters(apps);
  for (const task of tasks) await runTask(task, numberStep(taskNames[task]), filters);
  if (last) say(`${numberStep(last)} …`);
}

/** Turbo's options for some apps and the packages that they run with, without the packages of their tests. */
function turboFilters(apps) {
  if (!apps) return [];
  return ['--only', ...apps.map((app) => `--filter=./apps/${app}...`), '--filter=!@capture/testing'];
}

/** Installs and builds only if that has never happened. */
async function prepareOnce(file, apps) {
  if (hasPackages() && (await exists(file))) return;
  await prepare({ apps });
}

/** Runs a task in the packages. Turbo skips packages that have not changed. */
async function runTask(task, step, filters) {
  const turbo = inCheckout('node_modules/turbo/bin/turbo');
  const options = ['--output-logs=errors-only', '--log-order=grouped', '--ui=stream'];
  const result = await run({ step, command: process.execPath, args: [turbo, 'run', task, ...options, ...filters] });
  if (result.code === 0) return;
  fail(
    `${lastLines(result.output, 60)}\n\nThis failed (see above). If you have changed nothing, remove the folder node_modules and run the command again.`,
  );
}

async function test(args) {
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = inCheckout('node_modules/jest/bin/jest.js');
  // The child has the same process group and terminal, so that `--watch` and Ctrl-C work.
  const child = spawn(process.execPath, [...options, jest, ...args], { cwd: inCheckout('.'), stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? signalCode(signal)));
}

/** Runs another program in this process, so that the program itself receives the signals. */
async function become(file, args) {
  const program = inCheckout(file);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

/** npm changes to the checkout, but paths on the command line are relative to the caller's folder. */
function useCallersFolder() {
  const { INIT_CWD: folder } = process.env;
  if (folder) process.chdir(folder);
}
