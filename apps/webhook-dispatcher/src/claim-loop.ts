import type { Outlook } from '@capture/database/deliveries/claim-deliveries';
import type { Logger } from '@capture/runtime/log';

/** How often due deliveries are looked for without being told, milliseconds: what a lost wake-up costs at most. */
const pollMs = 1_000;

/** Between two rounds, milliseconds: under load one round claims for all the places that became free meanwhile. */
const restMs = 10;

export interface ClaimLoop {
  /** Something is due. */
  wake(): void;
  /** A place is free: something may have waited for it. */
  placeFree(): void;
  stop(): Promise<void>;
}

/**
 * Runs `claim` when something becomes due, whenever it is woken, and at least every second; never twice at once. A wake-up
 * during a run leads to one more.
 */
export function startClaiming(claim: () => Promise<Outlook>, log: Logger, now: () => Date): ClaimLoop {
  let stopped = false;
  let wokenAgain = false;
  let waiting = false;
  let failing = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Returns after how many milliseconds the next run is due by itself. */
  async function attempt(): Promise<number> {
    try {
      const outlook = await claim();
      ({ waiting } = outlook);
      failing = false;
      const untilNext = outlook.nextDueAt ? outlook.nextDueAt.getTime() - now().getTime() : pollMs;
      return Math.min(pollMs, Math.max(restMs, untilNext));
    } catch (error) {
      // Told once an outage, not once a second.
      if (!failing) log.warn({ err: error }, 'no deliveries can be claimed now; it goes on by itself');
      failing = true;
      return pollMs;
    }
  }

  async function run(): Promise<void> {
    let waitMs: number;
    do {
      wokenAgain = false;
      waitMs = await attempt();
      if (wokenAgain) await new Promise((rested) => setTimeout(rested, restMs));
    } while (wokenAgain && !stopped);
    running = undefined;
    if (!stopped) timer = setTimeout(wake, waitMs);
  }

  function wake(): void {
    if (stopped) return;
    if (running) wokenAgain = true;
    else {
      clearTimeout(timer);
      running = run();
    }
  }

  timer = setTimeout(wake, pollMs);
  return {
    wake,
    placeFree() {
      if (waiting) wake();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
