import { setTimeout as sleep } from 'node:timers/promises';
import { captureCompleted } from '@capture/contract/events/events';
import { contractForm } from '@capture/contract/forms/forms';
import { generateSigningSecret } from '@capture/contract/forms/signing-secret';
import { createAccount } from '@capture/database/accounts/accounts';
import { signingSecretOf } from '@capture/database/accounts/signing-secret';
import { type Database, transaction } from '@capture/database/database';
import { insertEvent } from '@capture/database/deliveries/insert-event';
import { makeReceiversDue } from '@capture/database/deliveries/receivers';
import { createEncryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { connectRedis } from '@capture/queue/connect-redis';
import { secretKey } from '@capture/testing/processes/platform';
import { machineMs } from '@capture/testing/processes/process-usage';
import { openServers } from '../platform/servers.ts';
import { openReceiver, type Receiver } from '../receiver/receiver.ts';
import type { Bench, Section } from '../section.ts';
import { serverWork, workCells, workHead, workOfEach } from '../server-work.ts';

/** The number of clients whose events are delivered, each to its own path of the receiver. */
const accounts = 8;

const perTransaction = 500;
const lookEveryMs = 100;
const form = contractForm('B');

export const deliveries: Section = {
  name: 'deliveries',
  measures:
    'webhooks per second from one dispatcher to one HTTPS receiver on this machine, from a backlog, each signed, sent and recorded',
  figures: ['deliveries'],
  async run(bench) {
    const receiver = await openReceiver();
    const servers = await openServers({ caFile: receiver.authority.file });
    const database = openDatabase({ url: servers.databaseUrl, onIdleError: () => {} });
    const redis = connectRedis({ url: servers.redisUrl });
    try {
      const clients = await openClients(database);
      const count = bench.amount(20_000, 4_000);
      for (let made = 0; made < count; made += perTransaction) {
        bench.checkpoint();
        await insertEvents(database, clients[(made / perTransaction) % clients.length] ?? '', receiver);
      }
      await database.pool.query('ANALYZE');
      const usedByDelivering = () => machineMs([process.pid, receiver.pid]);
      const [usedBefore, workBefore] = [usedByDelivering(), await serverWork(database.pool, redis)];
      await servers.start('webhook-dispatcher');
      const counts = await untilDelivered(bench, receiver, count);
      const processor = (usedByDelivering() - usedBefore) / count;
      const work = workOfEach(workBefore, await serverWork(database.pool, redis), count);
      const rate = counts.hits / (counts.ms / 1_000);
      const doubled = counts.hits - counts.distinct;
      return {
        figures: { deliveries: rate },
        notes: [
          `${counts.hits} webhooks of ${accounts} accounts in ${(counts.ms / 1_000).toFixed(1)} s, ${doubled} of them twice`,
        ],
        tables: [
          {
            title: 'Cost of one delivery',
            head: ['processor of dispatcher, Postgres and Redis, ms', ...workHead],
            rows: [[processor.toFixed(2), ...workCells(work, 2)]],
          },
        ],
      };
    } finally {
      redis.disconnect();
      await database.close();
      await servers.close();
      await receiver.close();
    }
  },
};

async function openClients({ prisma }: Database): Promise<string[]> {
  const encryptor = createEncryptor(secretKey);
  const ids = Array.from({ length: accounts }, () => newId('acc'));
  for (const id of ids) {
    const signingSecret = encryptor.encrypt(generateSigningSecret(), signingSecretOf(id));
    await createAccount({ prisma }, { id, email: `${id}@example.com`, signingSecret, createdAt: new Date() });
  }
  return ids;
}

/** Inserts the events of ended captures, due at once. */
async function insertEvents({ pool }: Database, accountId: string, { port }: Receiver): Promise<void> {
  const url = `https://127.0.0.1:${port}/${accountId}`;
  await transaction(pool, async (connection) => {
    const at = new Date();
    const due = [];
    for (let made = 0; made < perTransaction; made += 1) {
      const id = newId('req');
      const task = { request_id: id, url: 'https://example.com/', type: 'screenshot', format: 'png' } as const;
      const size = { width: 1_280, height: 720, file_size: 34_567, duration_ms: 312 };
      const file = { file_url: 'https://captures.example.com/f/a.png', expires_at: at.toISOString() };
      const event = captureCompleted(form, { ...task, ...size, ...file }, at);
      const to = [{ webhookId: null, url, paused: false }];
      due.push(...(await insertEvent(connection, accountId, to, event, { captureId: id, at })));
    }
    await makeReceiversDue(connection, due, at);
  });
}

async function untilDelivered(bench: Bench, receiver: Receiver, count: number) {
  for (let looks = 1; ; looks += 1) {
    bench.checkpoint();
    const counts = await receiver.count();
    if (counts.distinct >= count) return counts;
    if (looks % 20 === 0) bench.progress(`deliveries: ${counts.hits} of ${count}`);
    await sleep(lookEveryMs);
  }
}
