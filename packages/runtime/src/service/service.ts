import { ConfigError, readConfig } from '../config.ts';
import { Lifecycle } from '../lifecycle.ts';
import { settings } from '../settings.ts';
import { startTracing } from '../tracing/tracing.ts';
import { createLogger, type Logger } from './log.ts';

/**
 * A service stops within this time, milliseconds, even if a part hangs: 20 s to drain (the design's figure) and 2 s to close the
 * rest. The supervisor kills a service only later, so the log still says which part hung.
 */
const closeWithinMs = 22_000;

export interface ServiceContext {
  log: Logger;
  lifecycle: Lifecycle;
}

export interface Service {
  name: string;
  start(context: ServiceContext): Promise<void>;
  /** The milliseconds after which a stop that hangs ends the process; 22,000 by default. */
  closeWithinMs?: number;
}

/**
 * Runs one long-lived process: starts it, reports that it is ready, and stops it in order on SIGTERM or SIGINT, or when the
 * supervisor that spawned it is gone (its IPC channel closes). An uncaught error ends the process with code 1: unfinished work is
 * in Postgres, and the supervisor starts a new process.
 */
export function runService(service: Service): void {
  const level = settings.LOG_LEVEL.safeParse(process.env.LOG_LEVEL || undefined);
  const log = createLogger(service.name, { level: level.data ?? 'info' });
  const lifecycle = new Lifecycle(log);
  let stopping = false;
  let exitCode = 0;

  function stop(reason: string, code: 0 | 1): void {
    exitCode = Math.max(exitCode, code);
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    const withinMs = service.closeWithinMs ?? closeWithinMs;
    // The timer keeps the process alive. If closing hangs without open handles, the process would otherwise exit with success.
    setTimeout(() => {
      log.error({ withinMs }, 'did not stop in time');
      process.exit(1);
    }, withinMs);
    void closeAll().then(() => process.exit(exitCode));
  }

  /** Closes the open resources, which makes a start in progress fail or end, and then the resources that the start has opened. */
  async function closeAll(): Promise<void> {
    await lifecycle.close();
    await starting;
    await lifecycle.close();
  }

  async function start(): Promise<void> {
    try {
      readConfig({ LOG_LEVEL: settings.LOG_LEVEL }, process.env);
      const stopTracing = await startTracing(service.name, process.env, log);
      // Tracing closes last, so that it also records how the other resources close.
      if (stopTracing) lifecycle.closing('traces', stopTracing);
      await service.start({ log, lifecycle });
      if (stopping) return;
      log.info('ready');
      await notifySupervisor({ type: 'ready' });
    } catch (error) {
      if (stopping) {
        log.info({ err: error }, 'the start was aborted');
        return;
      }
      if (error instanceof ConfigError) log.fatal({ faults: error.message.split('\n') }, 'the settings are wrong');
      else log.fatal({ err: error }, 'could not start');
      await notifySupervisor({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
      stop('could not start', 1);
    }
  }

  process.on('SIGTERM', () => stop('SIGTERM', 0));
  process.on('SIGINT', () => stop('SIGINT', 0));
  process.on('disconnect', () => stop('the supervisor is gone', 0));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error');
    stop('uncaught error', 1);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    stop('unhandled rejection', 1);
  });

  // The reader of the output may be gone before this process. The output is then lost without an error.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

  const starting = start();
  // The supervisor may have ended while this process loaded its modules, before this process could receive the event.
  if (process.connected === false) stop('the supervisor is gone', 0);
}

/** Resolves when the message is sent, or at once without a supervisor. */
function notifySupervisor(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
