import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit } from '@capture/provisioning/guarded-process';
import type { Report } from '@capture/provisioning/report';

/** A running part of the platform. */
export interface RunningProgram {
  /** Resolves when it has ended, for whatever reason. */
  exited: Promise<Exit>;
  /** Ends it in order, and by force when that takes too long; resolves when it has ended. */
  stop(): Promise<unknown>;
  /** Ends it at once. */
  kill(): void;
}

/** A part of the platform that must always run. */
export interface Program {
  name: string;
  /** The parts of the highest stage are stopped first: who uses a server ends before it. */
  stage: number;
  /**
   * Starts it and resolves when it is ready for work. Rejects with the reason when it is not to be had; nothing of it
   * may be left then.
   *
   * @param aborted what to end a start with that is no longer wanted.
   */
  start(aborted: AbortSignal): Promise<RunningProgram>;
}

export interface Patience {
  /** Before the first, second, … start after a death, in milliseconds; the last one for all that follow. */
  restartDelaysMs: readonly number[];
  /** Who ran this long is healthy again: its next death counts as the first. */
  healthyAfterMs: number;
}

/** At once for an accident, then slower, so that a part that cannot run does not use up the machine. */
export const usualPatience: Patience = {
  restartDelaysMs: [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000],
  healthyAfterMs: 30_000,
};

interface Kept {
  program: Program;
  running: RunningProgram | null;
  /** Resolves when nobody watches it any more. */
  watch: Promise<void>;
}

/** Keeps programs running until it is told to stop; then it ends them stage by stage. */
export class Supervisor {
  readonly #report: Report;
  readonly #patience: Patience;
  readonly #kept: Kept[] = [];
  readonly #starting = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | undefined;

  constructor(report: Report, patience: Patience = usualPatience) {
    this.#report = report;
    this.#patience = patience;
  }

  /**
   * Starts a program and resolves when it is ready; from then on it is started again whenever it ends.
   *
   * @throws what its first start failed with: a platform that never ran is not kept trying.
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

  /** Ends all programs, the highest stage first, those of a stage together. Later calls wait for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** Ends all programs at once, in no order. */
  kill(): void {
    this.#stopping.abort();
    for (const { running } of this.#kept) running?.kill();
  }

  async #stopAll(): Promise<void> {
    this.#stopping.abort();
    // A start under way is given up by its program, or ends and is then stopped like the others.
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
    const { restartDelaysMs, healthyAfterMs } = this.#patience;
    let deaths = 0;
    while (kept.running) {
      const readyAt = Date.now();
      const exit = await kept.running.exited;
      kept.running = null;
      if (signal.aborted) return;
      if (Date.now() - readyAt >= healthyAfterMs) deaths = 0;
      this.#report(`${kept.program.name} ended (${describe(exit)}); starting it again`);
      while (!kept.running && !signal.aborted) {
        const delay = restartDelaysMs[Math.min(deaths, restartDelaysMs.length - 1)] ?? 0;
        deaths += 1;
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
        this.#report(`${program.name} could not be started again, trying on: ${(error as Error).message}`);
      }
      return null;
    }
  }
}

function describe({ code, signal }: Exit): string {
  return signal ?? `code ${code}`;
}
