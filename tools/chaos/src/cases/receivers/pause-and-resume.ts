import { setTimeout as sleep } from 'node:timers/promises';
import { endpointSecretOf } from '@capture/database/accounts/signing-secret';
import { changeEndpoint } from '@capture/database/endpoints/change-endpoint';
import { registerEndpoint } from '@capture/database/endpoints/endpoints';
import { newId } from '@capture/database/ids';
import type { ChaosCase } from '../../case.ts';
import type { Ledger } from '../../harness/check-deliveries.ts';
import { encryptor, type Platform } from '../../harness/platform.ts';
import { produceSlowly } from '../../harness/produce-events.ts';
import { signingSecret } from '../../harness/receiver.ts';

const endpoints = 4;

/** The number of workers that end captures of one account at once. */
const workers = 3;

/** The duration of a transaction that ends a capture, milliseconds, so that pauses overlap it. */
const commitPauseMs = 15;

const pausedMs = 150;
const activeMs = 250;

/** A pause of an endpoint, from the moment when all attempts in progress were known. */
interface Pause {
  label: string;
  from: number;
  until: number;
  inProgress: Set<string>;
}

export const pauseAndResume: ChaosCase = {
  name: 'pause-and-resume',
  promise:
    'Endpoints are paused and resumed repeatedly while events arrive and retries are due: a paused endpoint gets only attempts that were in progress, and in the end every event is delivered.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: [200, 400, 800, 1_600, 3_200] });
    await platform.startDispatcher();
    await platform.startDispatcher();
    const pauses: Pause[] = [];
    const endAt = Date.now() + (context.hurried ? 2_000 : 40_000);
    await Promise.all(
      Array.from({ length: endpoints }, async (_, index) => {
        const label = `endpoint-${index}`;
        const endpoint = { id: newId('wh'), accountId: await platform.newAccount() };
        await register(platform, endpoint, label);
        const work = async () => {
          const destination = { accountId: endpoint.accountId, webhookUrl: null };
          while (Date.now() < endAt) await produceSlowly(platform, destination, platform.produced, commitPauseMs);
        };
        const toggle = async () => {
          while (Date.now() < endAt) {
            pauses.push(await pause(platform, endpoint, label));
            await sleep(activeMs);
          }
        };
        await Promise.all([toggle(), ...Array.from({ length: workers }, work)]);
      }),
    );
    const ledger = await platform.finishDeliveries();
    const slipped = pauses.flatMap((each) => hitsDuring(each, ledger));
    context.expect(slipped.length === 0, `a paused endpoint gets nothing (${slipped.length} requests arrived)`);
    context.note(`${pauses.length} pauses of ${endpoints} endpoints`);
    return ledger;
  },
};

async function register(
  { database, receiver }: Platform,
  endpoint: { id: string; accountId: string },
  label: string,
): Promise<void> {
  await registerEndpoint(database, {
    ...endpoint,
    // Every event is refused once, so that retries are always due.
    url: receiver.url({ kind: 500, times: 1 }, label),
    events: ['capture.completed'],
    signingSecret: encryptor.encrypt(signingSecret, endpointSecretOf(endpoint.id)),
    createdAt: new Date(),
  });
}

async function pause(
  { database: { pool } }: Platform,
  endpoint: { id: string; accountId: string },
  label: string,
): Promise<Pause> {
  await changeEndpoint(pool, endpoint, { status: 'paused' }, new Date());
  const { rows } = await pool.query(
    `SELECT event_id FROM delivery WHERE webhook_id = $1 AND status = 'pending' AND begun_attempt = attempt`,
    [endpoint.id],
  );
  const from = Date.now();
  await sleep(pausedMs);
  const until = Date.now();
  await changeEndpoint(pool, endpoint, { status: 'active' }, new Date());
  return { label, from, until, inProgress: new Set(rows.map((row) => row.event_id)) };
}

function hitsDuring({ label, from, until, inProgress }: Pause, { hits }: Ledger) {
  return hits.filter(({ path, at, id }) => path.endsWith(label) && at > from && at < until && !inProgress.has(id));
}
