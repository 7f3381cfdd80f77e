import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runningPrograms, startStandalone } from '@capture/testing/processes/standalone';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { type Accounts, openAccounts } from './accounts.ts';
import { Service } from './service.ts';

/** The platform as `npm start` runs it, with a separate data folder. */
export interface Platform {
  url: string;
  service: Service;
  accounts: Accounts;
  /** The URL of its Postgres, for figures that only the database has. */
  databaseUrl: string;
  redisUrl: string;
  pidsOf(services: readonly string[]): number[];
  close(): Promise<void>;
}

/** A plan without limits. One account prints more invoices than the 20 requests a second of the largest published plan. */
const plans = { bench: { monthly: null, per_second: 1_000, burst: null, concurrency: null, retention_days: null } };

/** @param corpusPort the only port of this machine that captures may reach. */
export async function startPlatform(corpusPort: number): Promise<Platform> {
  const dataDir = makeTestFolder('platform');
  const plansFile = path.join(makeTestFolder('plans'), 'plans.json');
  writeFileSync(plansFile, JSON.stringify(plans));
  const env = {
    // As under npm, the platform ends with this process, even if this process is killed.
    npm_lifecycle_event: 'start',
    EGRESS_ALLOW: `127.0.0.1/32:${corpusPort}`,
    // All accounts register from one address.
    REGISTRATIONS_PER_HOUR: '10000',
    PLANS_FILE: plansFile,
  };
  const args = [path.join(repositoryRoot, 'bootstrap.mjs'), 'start'];
  const { supervisor, url, operatorKey } = await startStandalone(dataDir, env, args);
  const accounts = openAccounts(url, operatorKey, 'bench');
  const service = new Service(url, accounts);
  return {
    url,
    service,
    accounts,
    ...readServerUrls(dataDir),
    pidsOf: (names) =>
      runningPrograms(dataDir)
        .filter(({ name }) => names.includes(name))
        .map(({ pid }) => pid),
    async close() {
      await service.close();
      await supervisor.stop();
    },
  };
}

function readServerUrls(dataDir: string): Pick<Platform, 'databaseUrl' | 'redisUrl'> {
  const read = (file: string) => JSON.parse(readFileSync(path.join(dataDir, file), 'utf8'));
  const { POSTGRES_PASSWORD, REDIS_PASSWORD } = read('secrets.json');
  const { postgres, redis } = read(path.join('run', 'ports.json'));
  return {
    databaseUrl: `postgresql://capture:${POSTGRES_PASSWORD}@127.0.0.1:${postgres}/capture`,
    redisUrl: `redis://:${REDIS_PASSWORD}@127.0.0.1:${redis}`,
  };
}
