import type { Random } from '@capture/testing/random';
import type { Platform } from './platform.ts';
import { ownPostgres } from './servers.ts';
import { killBrowsers } from './services.ts';

/** Faults of a running platform. After each fault everything runs again. */
export const faultKinds = ['worker', 'dispatcher', 'gateway', 'browser', 'redis', 'postgres'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The attempts in progress in two dispatchers, whose outcomes a loss of Postgres can lose. */
export const slotsOfTwoDispatchers = 2 * 256;

/** Kills a random process of a kind and starts it again. */
export const injectFault: Record<FaultKind, (platform: Platform, random: Random) => Promise<unknown>> = {
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
    // The replacement starts first, so that clients meet a gateway that dies, but always have a gateway.
    await platform.startGateway();
    await platform.killGateway(gateway);
  },
  async browser(platform, random) {
    platform.kills += killBrowsers(random.pick(platform.workers));
  },
  redis: (platform) => restartRedis(platform),
  async postgres(platform) {
    platform.lostAttempts += slotsOfTwoDispatchers;
    await restartPostgres(platform);
  },
};

/** Kills Redis and restarts it once `outage` has ended. */
export async function restartRedis(platform: Platform, outage: () => unknown = () => {}): Promise<void> {
  await restart(platform, platform.servers.redis, outage);
}

/** Kills Postgres and restarts it once `outage` has ended. */
export async function restartPostgres(platform: Platform, outage: () => unknown = () => {}): Promise<void> {
  await restart(platform, ownPostgres(platform.servers), outage);
}

async function restart(
  platform: Platform,
  server: { kill(): void; exited: Promise<unknown>; restart(): Promise<void> },
  outage: () => unknown,
): Promise<void> {
  server.kill();
  platform.kills += 1;
  await server.exited;
  await outage();
  await server.restart();
}
