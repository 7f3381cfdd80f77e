import type { DueState } from '@capture/database/deliveries/claim-deliveries';
import type { Logger } from '@capture/runtime/service/log';

/** The interval for looking for due deliveries without a wake-up, milliseconds: the longest delay by a lost wake-up. */
const pollMs = 1_000;

/** The pause between two rounds, milliseconds. Under load one round fills all slots that were released meanwhile. */
const restMs = 10;

interface ClaimLoop {
  /** Reports that a delivery is due. */
  wake(): void;
  /** Reports that a slot is free, for which a delivery may have waited. */
  slotReleased(): void;
  stop(): Promise<void>;
}

/**
 * Runs `claim` when a delivery becomes due, on every wake-up, and at least every second. Runs never overlap; a wake-up during a
 * run starts one more run.
 */
export function startClaiming(claim: () => Promise<DueState>, log: Logger): ClaimLoop {
  let stopped = false;
  let wakeAgain = false;
  let waiting = false;
  let failing = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** @returns the milliseconds until the next run. */
  async function attempt(): Promise<number> {
    try {
      const state = await claim();
      ({ waiting } = state);
      failing = false;
      return Math.min(pollMs, Math.max(restMs, state.nextDueInMs ?? pollMs));
    } catch (error) {
      // The failure is logged once per outage, not once per second.
      if (!failing) log.warn({ err: error }, 'cannot claim deliveries; retrying every second');
      failing = true;
      return pollMs;
    }
  }

  async function run(): Promise<void> {
    let waitMs: number;
    do {
      wakeAgain = false;
      waitMs = await attempt();
      if (wakeAgain) await new Promise((rested) => setTimeout(rested, restMs));
    } while (wakeAgain && !stopped);
    running = undefined;
    if (!stopped) timer = setTimeout(wake, waitMs);
  }

  function wake(): void {
    if (stopped) return;
    if (running) wakeAgain = true;
    else {
      clearTimeout(timer);
      running = run();
    }
  }

  timer = setTimeout(wake, pollMs);
  return {
    wake,
    slotReleased() {
      if (waiting) wake();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
