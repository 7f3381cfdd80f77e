import { killBrowsers } from './capture-worker.ts';
import type { Platform } from './platform.ts';
import type { Random } from './random.ts';

/** What can be done to a running platform; each is over when everything runs again. */
export const harms = ['worker', 'dispatcher', 'gateway', 'browser', 'redis', 'postgres'] as const;
export type Harm = (typeof harms)[number];

/** Under way in two dispatchers at once: what a loss of Postgres can make unrecorded. */
const places = 2 * 256;

/** Kills one of the processes of a kind, chosen at random, and starts it again. */
export const harm: Record<Harm, (platform: Platform, random: Random) => Promise<unknown>> = {
  async worker(platform, random) {
    await platform.killWorker(random.pick(platform.workers));
    await platform.startWorker();
  },
  async dispatcher(platform, random) {
    await platform.killDispatcher(random.pick(platform.dispatchers));
    await platform.startDispatcher();
  },
  async gateway(platform, random) {
    const gateway = random.pick(platform.gateways);
    // The next one is there first: who asks is to meet a gateway that dies, not none at all.
    await platform.startGateway();
    await platform.killGateway(gateway);
  },
  async browser(platform, random) {
    platform.kills += killBrowsers(random.pick(platform.workers));
  },
  async redis(platform) {
    const { redis } = platform.servers;
    redis.kill();
    platform.kills += 1;
    await redis.exited;
    await redis.restart();
  },
  async postgres(platform) {
    const { postgres } = platform.servers;
    postgres.kill();
    platform.kills += 1;
    platform.lostAttempts += places;
    await postgres.exited;
    await postgres.restart();
  },
};
