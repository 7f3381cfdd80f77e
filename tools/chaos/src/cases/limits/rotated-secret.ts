import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { type Client, send } from '../../harness/client.ts';
import { nothingProduced, produceOne } from '../../harness/produce-events.ts';
import { signingSecrets } from '../../harness/receiver.ts';
import type { TestedPlatform } from '../../harness/tested-platform.ts';

/** Half the rate that any machine delivers, because new events must not wait behind a backlog. */
const ratePerS = 10;

/** Events produced while a pair of secrets was valid, from the response to a rotation on. */
interface Period {
  /** Indexes of the secrets in the receiver's list. */
  signsNow: number;
  overlaps: number | null;
  requestIds: Set<string>;
}

export const rotatedSecret: ChaosCase = {
  name: 'rotated-secret',
  promise:
    "An endpoint's secret is rotated repeatedly while events arrive: from the response to the rotation on each request is signed with the new secret, during the overlap with the old one too, and never with another.",
  async run(context) {
    const platform = await context.open({ retryDelaysMs: [200, 400, 800, 1_600, 3_200] });
    const { database, receiver } = platform;
    const [gateway] = await Promise.all([platform.startGateway(), platform.startDispatcher()]);
    const client = await platform.newClient('enterprise');
    // Each event is refused once, so that retries fall into other periods than first attempts.
    const url = receiver.url({ kind: 500, times: 1 });
    const registered = await send(gateway, client, '/api/v1/webhooks', {
      method: 'POST',
      body: { url, events: ['capture.completed'], secret: signingSecrets[0] },
    });
    if (registered.status !== 201) throw new Error(`the endpoint was not registered (${registered.status})`);
    let over = false;
    const producing = platform.produce(() => ({ accountId: client.accountId, webhookUrl: null }), {
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
      periods.push({ signsNow, overlaps, requestIds: await oneMore(platform, client) });
      // The update skips the 24 hours of the overlap.
      await database.pool.query('UPDATE webhook_endpoint SET previous_signing_secret_until = now()');
      periods.push({ signsNow, overlaps: null, requestIds: await oneMore(platform, client) });
    }
    over = true;
    await producing;
    const ledger = await platform.finishDeliveries();
    for (const { signsNow, overlaps, requestIds } of periods) {
      const first = ledger.hits.filter(({ requestId, number }) => number === 1 && requestIds.has(requestId ?? ''));
      const right = first.filter(({ signers: { service, previous, standard } }) => {
        const all = overlaps === null ? [signsNow] : [signsNow, overlaps].sort();
        return service === signsNow && previous === overlaps && standard.join() === all.join();
      });
      const sentence = overlaps === null ? 'the new secret alone signs' : 'the new and the old secret sign';
      context.expect(
        first.length > 0 && right.length === first.length,
        `${sentence} (${right.length} of ${first.length})`,
      );
    }
    context.note(`${rotations} rotations, ${ledger.hits.length} requests, each signed with a valid secret`);
    return ledger;
  },
};

/** Produces an event and waits for the end of its first attempt. */
async function oneMore(platform: TestedPlatform, { accountId }: Client): Promise<Set<string>> {
  const own = nothingProduced();
  await produceOne(platform, { accountId, webhookUrl: null }, own);
  for (const [id, at] of own.acknowledged) platform.produced.acknowledged.set(id, at);
  const ids = [...own.acknowledged.keys()];
  const tried = `FROM delivery d JOIN event e ON e.id = d.event_id WHERE e.capture_id = ANY($1) AND d.attempt_count > 0`;
  await waitUntil(async () => (await platform.count(tried, [ids])) === ids.length, { what: 'its first attempt' });
  return new Set(ids);
}
