import { contractForm } from '@capture/contract/forms/forms';
import { createEncryptor } from '@capture/database/encryption';
import { openDatabase } from '@capture/database/open-database';
import { operatorKey, secretKey } from '@capture/testing/processes/platform';
import { waitUntil } from '@capture/testing/wait-until';
import type { Servers } from '../platform/servers.ts';
import { type Leaving, type RetentionDays, runCleanupJobs } from './cleanup-jobs.ts';
import { playClient, playSignIn } from './client-session.ts';
import { seconds } from './fill.ts';
import { playOperator } from './operator-session.ts';
import { playExport } from './play-export.ts';
import type { Population } from './population.ts';
import { playRare } from './rare-statements.ts';
import { requestsTo } from './requests.ts';
import { named, startServices } from './services.ts';

const form = contractForm('B');

/** No client follows these links. */
const terms = {
  form,
  fileUrlOf: ({ captureId }: { captureId: string }) => `https://captures.example.com/files/${captureId}`,
};

export interface PlayOptions {
  receiverUrl: string;
  retention: RetentionDays;
  say(line: string): void;
}

/** Uses the whole filled platform: through its services, and by direct calls of functions that no request reaches. */
export async function playAll(
  servers: Servers,
  population: Population,
  { receiverUrl, retention, say }: PlayOptions,
): Promise<void> {
  const services = await startServices(servers);
  try {
    say('the services are running');
    const { gatewayUrl, pageUrl } = services;
    const timed = async (what: string, play: () => Promise<void>) => {
      const startedAt = performance.now();
      await play();
      say(`${what}: ${seconds(startedAt)} s`);
    };
    for (const name of ['huge', 'asleep', 'middle'] as const) {
      const account = population[name];
      const ask = requestsTo(gatewayUrl, account.apiKey);
      await timed(`the ${name} account`, () => playClient({ ask, account, pageUrl, receiverUrl }));
    }
    const anonymous = requestsTo(gatewayUrl, '');
    await anonymous('POST', '/api/auth/register', { body: { email: 'new-customer@example.com' } });
    await playSignIn(anonymous, { api_key: population.middle.apiKey });
    await playSignIn(anonymous, { operator_key: operatorKey });
    const operator = requestsTo(gatewayUrl, operatorKey);
    await timed('the operator', () => playOperator(operator, population));
    await timed('the export', () => playExport(servers.databaseUrl));
    await timed('deliveries', () => untilDelivered(operator));
  } finally {
    await services.close();
  }
  const rare = openDatabase({ url: named(servers.databaseUrl, 'rare'), connections: 1 });
  try {
    const encryptor = createEncryptor(secretKey);
    await playRare(rare, { ...terms, encryptor, account: population.huge });
  } finally {
    await rare.close();
  }
  const leaving = { small: population.accountIds.at(-2) as string, large: population.asleep.id };
  await playCleanupJobs(servers, { leaving, retention }, 'cleanup');
  say('the cleanup jobs have run');
}

/** Waits until the dispatcher has sent all due deliveries. */
async function untilDelivered(operator: ReturnType<typeof requestsTo>): Promise<void> {
  await waitUntil(
    async () => {
      const { body } = await operator<{ queues: { name: string; waiting: number; active: number }[] }>(
        'GET',
        '/api/operator/queues',
      );
      return body.queues.some(({ name, waiting, active }) => name === 'deliveries' && waiting + active === 0);
    },
    { what: 'all deliveries that are due to be sent', timeoutMs: 300_000 },
  );
}

/** @param application the application name of the connections. */
export async function playCleanupJobs(
  servers: Servers,
  { leaving, retention }: { leaving: Leaving; retention: RetentionDays },
  application: string,
): Promise<void> {
  const database = openDatabase({ url: named(servers.databaseUrl, application), connections: 2 });
  try {
    const rotating = createEncryptor('a-key-that-comes-after-the-one-of-the-fill', secretKey);
    await runCleanupJobs(database, { ...terms, formA: contractForm('A'), rotating, retention }, leaving);
  } finally {
    await database.close();
  }
}
