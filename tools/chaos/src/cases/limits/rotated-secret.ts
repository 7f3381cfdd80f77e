import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { type Client, send } from '../../harness/client.ts';
import type { Platform } from '../../harness/platform.ts';
import { nothingProduced, type Produced, produce, produceOne } from '../../harness/produce-events.ts';
import { signingSecrets } from '../../harness/receiver.ts';
import { settleDeliveries } from '../../harness/settle.ts';

/** Less than any machine delivers twice: what is new must not wait behind a backlog. */
const ratePerS = 10;

/** What was produced while a pair of secrets was in force, from the response to a rotation on. */
interface Period {
  /** The places of the secrets in the receiver's list. */
  signsNow: number;
  overlaps: number | null;
  requestIds: Set<string>;
}

export const rotatedSecret: ChaosCase = {
  name: 'rotated-secret',
  promise:
    "A registered endpoint's secret is rotated again and again while events come in: each request is signed with a secret of its time; from the rotation's response on by the new one, by the former beside it during the overlap, and by nothing else after that.",
  async run(context) {
    const platform = await context.open({ retryDelaysMs: [200, 400, 800, 1_600, 3_200] });
    const { database, receiver } = platform;
    const [gateway] = await Promise.all([platform.startGateway(), platform.startDispatcher()]);
    const client = await platform.newClient('enterprise');
    // Each event is refused once, so that retries fall into other periods than their first attempts.
    const url = receiver.url({ kind: 500, times: 1 });
    const registered = await send(gateway, client, '/api/v1/webhooks', {
      method: 'POST',
      body: { url, events: ['capture.completed'], secret: signingSecrets[0] },
    });
    const produced = nothingProduced();
    let over = false;
    const producing = produce(platform, () => ({ accountId: client.accountId, webhookUrl: null }), produced, {
      count: Number.MAX_SAFE_INTEGER,
      ratePerS,
      stopped: () => over,
    });
    const periods: Period[] = [];
    const rotations = context.scaled(50, 4);
    for (let rotation = 1; rotation <= rotations; rotation += 1) {
      const signsNow = rotation % signingSecrets.length;
      const path = `/api/v1/webhooks/${registered.body.id}/rotate-secret`;
      const { status } = await send(gateway, client, path, {
        method: 'POST',
        body: { secret: signingSecrets[signsNow] },
      });
      context.expect(status === 200, `the secret is rotated (${status})`);
      const overlaps = (rotation - 1) % signingSecrets.length;
      periods.push({ signsNow, overlaps, requestIds: await oneMore(platform, client, produced) });
      // The 24 hours of the overlap, by hand.
      await database.pool.query('UPDATE webhook_endpoint SET previous_signing_secret_until = now()');
      periods.push({ signsNow, overlaps: null, requestIds: await oneMore(platform, client, produced) });
    }
    over = true;
    await producing;
    await settleDeliveries(platform, context);

    const ledger = await checkDeliveries(platform, { produced, duplicates: 0 });
    for (const { signsNow, overlaps, requestIds } of periods) {
      const first = ledger.hits.filter(({ requestId, number }) => number === 1 && requestIds.has(requestId ?? ''));
      const right = first.filter(({ signers: { service, previous, standard } }) => {
        const all = overlaps === null ? [signsNow] : [signsNow, overlaps].sort();
        return service === signsNow && previous === overlaps && standard.join() === all.join();
      });
      const who = overlaps === null ? 'the new secret alone signs' : 'the new secret signs and the former beside it';
      context.expect(first.length > 0 && right.length === first.length, `${who} (${right.length} of ${first.length})`);
    }
    context.note(`${rotations} rotations, ${ledger.hits.length} requests, each signed with a secret of its time`);
    return ledger;
  },
};

/** An event of this very moment, whose first attempt is over before anything is changed. */
async function oneMore(platform: Platform, { accountId }: Client, produced: Produced): Promise<Set<string>> {
  const own = nothingProduced();
  await produceOne(platform, { accountId, webhookUrl: null }, own);
  for (const [id, at] of own.acknowledged) produced.acknowledged.set(id, at);
  const ids = [...own.acknowledged.keys()];
  await waitUntil(
    async () => {
      const { rows } = await platform.database.pool.query(
        `SELECT count(*)::int AS tried FROM delivery d JOIN event e ON e.id = d.event_id
        WHERE e.capture_id = ANY($1) AND d.attempt_count > 0`,
        [ids],
      );
      return rows[0].tried === ids.length;
    },
    { what: 'its first attempt' },
  );
  return new Set(ids);
}
