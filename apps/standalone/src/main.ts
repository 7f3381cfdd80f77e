// `npm start` runs the whole platform on one machine. This process supervises the others.
import { lockDataFolder } from '@capture/provisioning/data-folder-lock';
import { ProvisioningError } from '@capture/provisioning/provisioning-error';
import { announcement } from './announcement.ts';
import { ConfigError, readConfiguration } from './configuration.ts';
import { openDataFolder } from './data-folder.ts';
import { endLeftovers } from './leftovers.ts';
import { startPlatform, stopPlatform } from './platform.ts';
import { expectFreePort } from './ports.ts';
import { loadSecrets } from './secrets.ts';
import { StartError } from './start-error.ts';
import { Supervisor } from './supervisor.ts';

const startedAt = performance.now();

// The terminal may close before the platform ends. The output is then lost without an error.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
const report = (line: string) => process.stdout.write(`  ${line}\n`);

/** npm forwards a signal that its whole group already received, so two signals within this time count as one. */
const sameSignalMs = 1_000;

async function run(): Promise<void> {
  const config = readConfiguration(process.env);
  const folder = openDataFolder(config.DATA_DIR);
  const lock = await lockDataFolder(folder.root, report);
  process.on('exit', () => lock.release());
  const supervisor = new Supervisor(report);

  let stoppingSince: number | undefined;
  const stop = (reason: string, exitCode: number) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < sameSignalMs) return;
      report('stopping at once');
      supervisor.kill();
      process.exit(130);
    }
    stoppingSince = performance.now();
    lock.announceStop();
    report(`${reason}: stopping; work in progress has up to 20 s (repeat to stop at once)`);
    void stopPlatform({ folder, supervisor }).then(() => {
      report('stopped');
      process.exit(exitCode);
    });
  };
  let wasReady = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop(signal, wasReady ? 0 : 130));
  }
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack}\n`);
    stop('the supervisor failed', 1);
  });

  await endLeftovers(folder.processTable, report);
  if (config.PORT !== 0) await expectFreePort(config.PORT);
  const secrets = loadSecrets(folder.root);
  try {
    const running = await startPlatform({ config, env: process.env, folder, secrets, supervisor, report });
    const seconds = (performance.now() - startedAt) / 1000;
    wasReady = true;
    if (stoppingSince === undefined) process.stdout.write(`${announcement({ ...running, seconds })}\n`);
  } catch (error) {
    // A start that a signal ended fails too, but the signal's handler is already stopping the platform.
    if (stoppingSince !== undefined) return;
    await stopPlatform({ folder, supervisor });
    throw error;
  }
}

try {
  await run();
} catch (error) {
  if (error instanceof ConfigError) fail(`The settings are wrong:\n  ${error.message.replaceAll('\n', '\n  ')}`);
  if (error instanceof StartError || error instanceof ProvisioningError) fail(error.message);
  fail(`The platform could not start: ${error instanceof Error ? error.stack : error}`);
}

function fail(message: string): never {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}
