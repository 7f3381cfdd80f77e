import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { removeAccount } from '@capture/database/accounts/remove-account';
import { removeCaptureFiles } from '@capture/storage/many-files';
import { openStorage } from '@capture/storage/open-storage';
import { hostilePages, serveHostilePages } from '@capture/testing/network/hostile-pages';
import type { Random } from '@capture/testing/random';
import { waitUntil } from '@capture/testing/wait-until';
import type { CaseContext, ChaosCase } from '../../case.ts';
import { type Client, newIdempotencyKey, noSubmissions, send, submitBatch } from '../../harness/client.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import type { TestedPlatform } from '../../harness/tested-platform.ts';

/** Between two captures of the ordinary account, milliseconds. */
const everyMs = 1_000;

/** Nothing listens there: each delivery fails and is retried. */
const refusing = 'https://127.0.0.1:9/';

/** How long a process is frozen, and the pause after it, milliseconds. */
const frozenMs = 3_000;
const thawedMs = 7_000;

/** From the end of a capture to its delivery, milliseconds. */
const webhookWithinMs = 5_000;

export const hostileAccount: ChaosCase = {
  name: 'hostile-account',
  promise:
    "One account floods browsers, hangs, sends huge bodies and equal idempotency keys, deletes, lists, retries and streams, all at once, and then processes freeze as well: an ordinary account's captures and webhooks are all there, and none is refused.",
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    platform.pages.serve({
      ...serveHostilePages(),
      '/hangs': async (_request, response) => void (await once(response, 'close')),
    });
    for (let each = 0; each < 2; each += 1) {
      await Promise.all([
        platform.startGateway(),
        platform.startWorker({ concurrency: 4 }),
        platform.startDispatcher(),
      ]);
    }
    const ordinary = await platform.newClient('pro');
    const alone = await visit(platform, ordinary, context.scaled(60_000, 2_000));

    const hostile = await platform.newClient('enterprise');
    const end = new AbortController();
    const attacks = attack(platform, hostile, context.random, end.signal);
    const beside = await visit(platform, ordinary, context.scaled(600_000, 5_000));
    const freezing = freezeAtRandom(platform, context.random, end.signal);
    const frozen = await visit(platform, ordinary, context.scaled(300_000, 5_000));
    end.abort();
    const counts = await attacks;
    await freezing;
    await remove(platform, hostile);

    await platform.settleCaptures();
    const refused = Object.fromEntries(platform.submissions.refused);
    context.expect(platform.submissions.refused.size === 0, `nothing is refused (${JSON.stringify(refused)})`);
    report(context, { alone, beside, 'beside, with frozen processes': frozen });
    context.note(`the hostile account's requests: ${JSON.stringify(counts)}`);
    const webhooksMs = Math.max(...beside.webhooksMs);
    context.expect(context.hurried || webhooksMs <= webhookWithinMs, `webhooks take ${webhooksMs} ms beside it`);
    return platform.finish();
  },
};

interface Visit {
  capturesMs: number[];
  webhooksMs: number[];
}

/** An ordinary client: a synchronous capture every second, with a webhook. */
async function visit(platform: TestedPlatform, client: Client, forMs: number): Promise<Visit> {
  const endAt = Date.now() + forMs;
  const requests: ReturnType<TestedPlatform['submit']>[] = [];
  const options = { url: platform.pages.url('/page'), async: false, webhook_url: platform.receiver.url() };
  while (Date.now() < endAt) {
    // A load balancer sends nothing to a gateway that does not respond.
    const gateway = platform.gateways.find(({ process }) => process.pid !== frozenPid) ?? platform.gateways[0]!;
    requests.push(platform.submit(gateway, client, options));
    await sleep(everyMs);
  }
  const responses = await Promise.all(requests);
  const isOpen = `FROM delivery WHERE account_id = $1 AND status = 'pending'`;
  await waitUntil(async () => (await platform.count(isOpen, [client.accountId])) === 0, { what: 'its webhooks' });
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  const { rows } = await platform.database.pool.query(
    `SELECT (extract(epoch FROM d.completed_at - d.created_at) * 1000)::int AS ms
       FROM delivery d JOIN event e ON e.id = d.event_id WHERE e.capture_id = ANY($1)`,
    [ids],
  );
  return { capturesMs: responses.map(({ tookMs }) => tookMs), webhooksMs: rows.map(({ ms }) => ms) };
}

/** Everything that an account can do to others, until the signal. Returns how many requests of each kind had a response. */
async function attack(
  platform: TestedPlatform,
  client: Client,
  random: Random,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const { pages } = platform;
  const counts: Record<string, number> = {};
  const gateway = () => random.pick(platform.gateways);
  const repeat = async (name: string, pauseMs: number, work: () => Promise<{ status: number }>) => {
    while (!signal.aborted) {
      const { status } = await work();
      const label = `${name} ${status}`;
      counts[label] = (counts[label] ?? 0) + 1;
      await sleep(pauseMs);
    }
  };
  const post = (body: object, headers = {}) =>
    send(gateway(), client, '/api/v1/screenshot', { method: 'POST', body: { async: true, ...body }, headers });
  const hangs = { url: pages.url('/hangs'), timeout_ms: 120_000 };
  const batches = noSubmissions();
  await Promise.all([
    repeat('hanging batch', 10_000, () =>
      submitBatch(
        gateway(),
        client,
        batches,
        Array.from({ length: 1_000 }, () => hangs),
      ),
    ),
    repeat('flood', 100, () => {
      const { name, options } = random.pick(hostilePages);
      return post({ url: pages.url(`/${name}`), webhook_url: refusing, ...options });
    }),
    repeat('huge body', 100, () => post({ html: 'x'.repeat(2_000_000) })),
    repeat('body over the limit', 100, () => post({ html: 'x'.repeat(8_000_000) })),
    repeat('equal keys', 100, async () => {
      const headers = { 'Idempotency-Key': newIdempotencyKey() };
      const responses = await Promise.all(Array.from({ length: 20 }, () => post({ url: pages.url('/page') }, headers)));
      return responses[0]!;
    }),
    repeat('list', 20, () => send(gateway(), client, '/api/v1/captures?limit=100')),
    repeat('delete', 50, async () => {
      const { body } = await send(gateway(), client, '/api/v1/captures?limit=1');
      const id = body?.captures?.[0]?.request_id;
      return send(gateway(), client, `/api/v1/captures/${id}`, { method: 'DELETE' });
    }),
    repeat('retry', 50, async () => {
      const { body } = await send(gateway(), client, '/api/v1/webhooks/deliveries?limit=1');
      const id = body?.deliveries?.[0]?.id;
      return send(gateway(), client, `/api/v1/webhooks/deliveries/${id}/retry`, { method: 'POST' });
    }),
    repeat('event stream', 200, async () => {
      const [id] = batches.batches;
      const response = await fetch(`${gateway().url}/api/v1/batches/${id}/events`, {
        headers: { 'X-API-Key': client.key },
        signal,
      }).catch(() => null);
      return { status: response?.status ?? 0 };
    }),
  ]);
  return counts;
}

let frozenPid: number | undefined;

/** Freezes one of two processes of a kind at a time (SIGSTOP), until the signal. */
async function freezeAtRandom(platform: TestedPlatform, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lists = [platform.gateways, platform.workers, platform.dispatchers];
    frozenPid = random.pick<{ process: { pid: number } }>(random.pick<{ process: { pid: number } }[]>(lists)).process
      .pid;
    process.kill(frozenPid, 'SIGSTOP');
    await sleep(frozenMs);
    process.kill(frozenPid, 'SIGCONT');
    frozenPid = undefined;
    await sleep(thawedMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Deletes the account with all that it left, as an operator would: what remains is the ordinary account's. */
async function remove({ database, files }: TestedPlatform, { accountId }: Client): Promise<void> {
  await database.pool.query('UPDATE account SET deleted_at = now() WHERE id = $1', [accountId]);
  const storage = await openStorage(pathToFileURL(files).href);
  const terms = {
    removeFiles: async (keys: string[]) => void (await removeCaptureFiles(storage, keys)),
    onCancelled: async () => {},
    stopped: () => false,
  };
  await waitUntil(() => removeAccount(database.pool, accountId, terms), { what: 'the account to be removed' });
}

/** The 95th percentile. */
function at95(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
}

function report(context: CaseContext, visits: Record<string, Visit>): void {
  for (const [when, { capturesMs, webhooksMs }] of Object.entries(visits)) {
    const figures = `${at95(capturesMs)} ms, the slowest ${Math.max(...capturesMs)} ms; webhooks ${at95(webhooksMs)} ms, ${Math.max(...webhooksMs)} ms`;
    context.note(`${capturesMs.length} ordinary captures ${when}: p95 ${figures}`);
  }
}
