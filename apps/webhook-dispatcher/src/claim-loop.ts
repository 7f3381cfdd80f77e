import type { Logger } from '@capture/runtime/log';

/** How often due deliveries are looked for without being told, milliseconds: what a lost wake-up costs at most. */
const pollMs = 1_000;

/**
 * Runs `claim` every second and whenever it is woken, never twice at once; a wake-up during a run leads to one more.
 */
export function startClaiming(claim: () => Promise<unknown>, log: Logger): { wake(): void; stop(): Promise<void> } {
  let stopped = false;
  let wokenAgain = false;
  let failing = false;
  let running: Promise<void> | undefined;
  // A claim that throws at once is one that fails like any other.
  const attempt = async () => claim();

  async function run(): Promise<void> {
    do {
      wokenAgain = false;
      try {
        await attempt();
        failing = false;
      } catch (error) {
        // Told once an outage, not once a second.
        if (!failing) log.warn({ err: error }, 'no deliveries can be claimed now; it goes on by itself');
        failing = true;
      }
    } while (wokenAgain && !stopped);
    running = undefined;
  }

  function wake(): void {
    if (stopped) return;
    if (running) wokenAgain = true;
    else running = run();
  }

  const timer = setInterval(wake, pollMs);
  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
