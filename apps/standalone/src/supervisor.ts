import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit } from '@capture/provisioning/guarded-process';
import type { Report } from '@capture/provisioning/provisioning-error';

export interface RunningProgram {
  /** Resolves when the program has ended, for any reason. */
  exited: Promise<Exit>;
  /** Stops the program, and kills it if that takes too long; resolves when it has ended. */
  stop(): Promise<unknown>;
  /** Kills the program at once. */
  kill(): void;
}

/** A part of the platform that must always run. */
export interface Program {
  name: string;
  /** The programs of the highest stage are stopped first, so that the users of a server end before it. */
  stage: number;
  /**
   * Starts the program and resolves when it is ready for work. If it cannot start, rejects with the reason and leaves no process
   * behind.
   *
   * @param aborted aborts a start that is no longer wanted.
   */
  start(aborted: AbortSignal): Promise<RunningProgram>;
}

export interface RestartPolicy {
  /** The delays before the first, second, … restart, milliseconds; the last delay applies to all further restarts. */
  restartDelaysMs: readonly number[];
  /** A program that ran this long is healthy: its next restart counts as the first. */
  healthyAfterMs: number;
}

/** The first restart is immediate and later restarts are slower, so that a program that cannot run does not exhaust the machine. */
export const defaultRestartPolicy: RestartPolicy = {
  restartDelaysMs: [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000],
  healthyAfterMs: 30_000,
};

interface Kept {
  program: Program;
  running: RunningProgram | null;
  /** Resolves when the program is no longer restarted. */
  watch: Promise<void>;
}

/** Keeps programs running until it is stopped; then it stops them stage by stage. */
export class Supervisor {
  readonly #report: Report;
  readonly #policy: RestartPolicy;
  readonly #kept: Kept[] = [];
  readonly #starting = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | undefined;

  constructor(report: Report, policy: RestartPolicy = defaultRestartPolicy) {
    this.#report = report;
    this.#policy = policy;
  }

  /**
   * Starts a program and resolves when it is ready; from then on the program is restarted whenever it ends.
   *
   * @throws the error of the first start, which is not retried.
   */
  async start(program: Program): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    const starting = this.#startFirst(program);
    this.#starting.add(starting);
    try {
      await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  async #startFirst(program: Program): Promise<void> {
    const running = await program.start(this.#stopping.signal);
    const kept: Kept = { program, running, watch: Promise.resolve() };
    this.#kept.push(kept);
    kept.watch = this.#watch(kept);
  }

  /** Stops all programs, the highest stage first, the programs of one stage together. Later calls wait for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** Kills all programs at once, in any order. */
  kill(): void {
    this.#stopping.abort();
    for (const { running } of this.#kept) running?.kill();
  }

  async #stopAll(): Promise<void> {
    this.#stopping.abort();
    // The program aborts a start in progress, or the start completes and the program is stopped like the others.
    await Promise.allSettled(this.#starting);
    const stages = [...new Set(this.#kept.map(({ program }) => program.stage))].sort((a, b) => b - a);
    for (const stage of stages) {
      const members = this.#kept.filter(({ program }) => program.stage === stage);
      await Promise.all(
        members.map(async (kept) => {
          await kept.running?.stop();
          await kept.watch;
        }),
      );
    }
  }

  async #watch(kept: Kept): Promise<void> {
    const { signal } = this.#stopping;
    const { restartDelaysMs, healthyAfterMs } = this.#policy;
    let restarts = 0;
    while (kept.running) {
      const readyAt = Date.now();
      const exit = await kept.running.exited;
      kept.running = null;
      if (signal.aborted) return;
      if (Date.now() - readyAt >= healthyAfterMs) restarts = 0;
      this.#report(`${kept.program.name} ended (${describe(exit)}); starting it again`);
      while (!kept.running && !signal.aborted) {
        const delay = restartDelaysMs[Math.min(restarts, restartDelaysMs.length - 1)] ?? 0;
        restarts += 1;
        await sleep(delay, undefined, { signal }).catch(() => {});
        if (!signal.aborted) kept.running = await this.#startAgain(kept.program);
      }
      if (kept.running && signal.aborted) await kept.running.stop();
    }
  }

  async #startAgain(program: Program): Promise<RunningProgram | null> {
    try {
      const running = await program.start(this.#stopping.signal);
      this.#report(`${program.name} runs again`);
      return running;
    } catch (error) {
      if (!this.#stopping.signal.aborted) {
        this.#report(`${program.name} could not be restarted, trying again: ${(error as Error).message}`);
      }
      return null;
    }
  }
}

function describe({ code, signal }: Exit): string {
  return signal ?? `code ${code}`;
}
