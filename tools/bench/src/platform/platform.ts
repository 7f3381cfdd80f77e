import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readRunning } from '@capture/provisioning/process-table';
import { startProcess } from '@capture/testing/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { type Accounts, openAccounts } from './accounts.ts';
import { Service } from './service.ts';

/** Installing and building nothing, a start takes five seconds; a machine under load may need many times that. */
const readyWithinMs = 180_000;

/** The platform as `npm start` runs it, with a data folder of its own. */
export interface Platform {
  url: string;
  service: Service;
  accounts: Accounts;
  /** Of its own Postgres, for what only the database knows. */
  databaseUrl: string;
  redisUrl: string;
  /** Where its services write what they log. */
  logFile(service: string): string;
  /** The one that started all of its processes, servers too. */
  pid: number;
  /** The processes of these of its services that there are. */
  pidsOf(services: readonly string[]): number[];
  close(): Promise<void>;
}

/** @param corpusPort the one port of this machine that captures may reach. */
export async function startPlatform(options: { corpusPort: number; chromiumPath: string }): Promise<Platform> {
  const dataDir = makeTestFolder('platform');
  const running = startProcess({
    name: 'the platform',
    args: [path.join(repositoryRoot, 'bootstrap.mjs'), 'start'],
    env: {
      DATA_DIR: dataDir,
      // By this it knows that somebody started it without whom it is to end, even one who was killed.
      npm_lifecycle_event: 'start',
      PORT: '0',
      PUPPETEER_EXECUTABLE_PATH: options.chromiumPath,
      EGRESS_ALLOW: `127.0.0.1/32:${options.corpusPort}`,
      // The accounts of the load come from one address.
      REGISTRATIONS_PER_HOUR: '10000',
    },
  });
  await running.waitForOutput(/Ctrl-C stops everything/, readyWithinMs);
  const find = (pattern: RegExp) => pattern.exec(running.output())?.[1] ?? '';
  const url = find(/address: +(\S+)/);
  const accounts = await openAccounts(url, find(/operator key: +(\S+)/));
  const service = new Service(url, accounts);
  return {
    url,
    service,
    accounts,
    pid: running.pid,
    ...serverUrlsOf(dataDir),
    logFile: (name) => path.join(dataDir, 'logs', `${name}.log`),
    pidsOf(names) {
      const entries = readRunning(path.join(dataDir, 'run', 'processes.json'));
      return entries.filter(({ name }) => names.includes(name)).map(({ pid }) => pid);
    },
    async close() {
      await service.close();
      await accounts.close();
      await running.stop();
    },
  };
}

function serverUrlsOf(dataDir: string): Pick<Platform, 'databaseUrl' | 'redisUrl'> {
  const read = (file: string) => JSON.parse(readFileSync(path.join(dataDir, file), 'utf8'));
  const { POSTGRES_PASSWORD, REDIS_PASSWORD } = read('secrets.json');
  const { postgres, redis } = read(path.join('run', 'ports.json'));
  return {
    databaseUrl: `postgresql://capture:${POSTGRES_PASSWORD}@127.0.0.1:${postgres}/capture`,
    redisUrl: `redis://:${REDIS_PASSWORD}@127.0.0.1:${redis}`,
  };
}
