import { ConfigError, readConfig } from './config.ts';
import { Lifecycle } from './lifecycle.ts';
import { createLogger, type Logger } from './log.ts';
import { settings } from './settings.ts';
import { startTracing } from './tracing/tracing.ts';

/**
 * A service stops within this, whatever hangs: 20 s of draining (the design's figure) and 2 s to close the rest, before
 * the supervisor would kill it and with it the word of what hangs.
 */
const closeWithinMs = 22_000;

export interface ServiceContext {
  log: Logger;
  lifecycle: Lifecycle;
}

export interface Service {
  name: string;
  start(context: ServiceContext): Promise<void>;
  /** Milliseconds after which a stop that hangs is cut off; 22,000 unless given. */
  closeWithinMs?: number;
}

/**
 * Runs one long-lived process: starts it, says that it is ready, stops it in order on SIGTERM or SIGINT, and when the
 * supervisor that spawned it is gone (its IPC channel closes). An error nobody caught ends the process with code 1:
 * what is half-done is in Postgres, and whoever supervises starts a clean one.
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
    // Keeps the process alive: one whose closing hangs with nothing left to wait for would end as if all were well.
    setTimeout(() => {
      log.error({ withinMs }, 'did not stop in time');
      process.exit(1);
    }, withinMs);
    void closeAll().then(() => process.exit(exitCode));
  }

  /** Closes what is open, on which a start still under way fails or ends, and then what that has opened meanwhile. */
  async function closeAll(): Promise<void> {
    await lifecycle.close();
    await starting;
    await lifecycle.close();
  }

  async function start(): Promise<void> {
    try {
      readConfig({ LOG_LEVEL: settings.LOG_LEVEL }, process.env);
      const stopTracing = await startTracing(service.name, process.env, log);
      // Closed last: what the others do while they close is traced as well.
      if (stopTracing) lifecycle.closing('traces', stopTracing);
      await service.start({ log, lifecycle });
      if (stopping) return;
      log.info('ready');
      await tellSupervisor({ type: 'ready' });
    } catch (error) {
      if (stopping) {
        log.info({ err: error }, 'the start was broken off');
        return;
      }
      if (error instanceof ConfigError) log.fatal({ faults: error.message.split('\n') }, 'the settings are wrong');
      else log.fatal({ err: error }, 'could not start');
      await tellSupervisor({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
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

  // Who reads the output may be gone before this process is; what is printed then is lost, and that is all.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

  const starting = start();
  // It may have gone while this process was still loading its modules; the event for that was lost.
  if (process.connected === false) stop('the supervisor is gone', 0);
}

/** Resolves when the message is on its way, or there is nobody to tell. */
function tellSupervisor(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
