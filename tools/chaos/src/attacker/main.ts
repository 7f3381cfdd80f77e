// Does everything at once that one account can do to others, and serves the pages for it. The attacker is a separate process of
// low priority: it stands for machines elsewhere, and must not delay the ordinary client whose times are measured. Run as node
// main.js; commands over IPC say where to begin, and `stop`.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostilePages, serveHostilePages } from '@capture/testing/network/hostile-pages';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { serveCommands } from '@capture/testing/processes/serve-commands';
import { createRandom, type Random } from '@capture/testing/random';
import { type ApiResponse, newIdempotencyKey, noSubmissions, send, submitBatch } from '../harness/client.ts';

/** The process responds to `stop` with the number of responses of each kind. */
export type AttackCommand = { start: Attack } | 'stop';

/** No server listens there, so each delivery fails and is retried. */
const refusing = 'https://127.0.0.1:9/';

/** `timeout_ms` of pages that hang, and of pages that flood: each page has its turn within a minute. */
const hangsMs = 20_000;
const floodsMs = 5_000;

/** Each endpoint receives every event, so that as many deliveries are held and replayed. */
const endpoints = 10;

const stopped = new AbortController();
let attacks: Promise<Record<string, number>> | undefined;

giveWay();
serveCommands(async (command: AttackCommand) => {
  if (command === 'stop') {
    stopped.abort();
    return attacks;
  }
  const pages = await openPageServer({
    '/page': '<!doctype html><p>an ordinary page',
    ...serveHostilePages(),
    '/hangs': async (_request, response) => void (await once(response, 'close')),
  });
  attacks = attack(pages, command.start, stopped.signal);
  return null;
});

function giveWay(): void {
  setPriority(19);
  try {
    // Where Linux groups processes by session, only the priority of the session counts against others.
    writeFileSync('/proc/self/autogroup', '10');
  } catch {
    // This system does not group processes.
  }
}

export interface Attack {
  gateways: readonly string[];
  key: string;
  seed: number;
  itemsOfBatch: number;
}

async function attack(
  pages: PageServer,
  { gateways, key, seed, itemsOfBatch }: Attack,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const random: Random = createRandom(seed);
  const counts: Record<string, number> = {};
  const gateway = () => ({ url: random.pick(gateways) });
  const repeat = async (name: string, pauseMs: number, work: () => Promise<{ status: number }>) => {
    while (!signal.aborted) {
      const { status } = await work();
      const label = `${name} ${status}`;
      counts[label] = (counts[label] ?? 0) + 1;
      await sleep(pauseMs);
    }
  };
  const call = (path: string, request?: Parameters<typeof send>[3]) => send(gateway(), { key }, path, request);
  const post = (body: object, headers = {}) =>
    call('/api/v1/screenshot', { method: 'POST', body: { async: true, ...body }, headers });
  const hangs = { url: pages.url('/hangs'), timeout_ms: hangsMs };
  const flood = () => {
    const { name, options } = random.pick(hostilePages);
    return { url: pages.url(`/${name}`), timeout_ms: floodsMs, ...options };
  };
  const items = () => Array.from({ length: itemsOfBatch }, (_, index) => (index % 4 === 0 ? hangs : flood()));
  const batches = noSubmissions();
  const submit = (submissions = noSubmissions()) =>
    submitBatch(gateway(), { accountId: '', key }, submissions, items());
  const events = ['capture.completed', 'capture.failed', 'batch.progress'];
  const registered = await Promise.all(
    Array.from({ length: endpoints }, () =>
      call('/api/v1/webhooks', { method: 'POST', body: { url: refusing, events } }),
    ),
  );
  const ofEach = (send: (path: string) => Promise<ApiResponse>) =>
    Promise.all(registered.map(({ body }) => send(`/api/v1/webhooks/${body?.id}`)));
  const set = (status: string) => ofEach((path) => call(path, { method: 'PATCH', body: { status } }));
  await Promise.all([
    repeat('batch', 10_000, () => submit(batches)),
    repeat('20 batches, cancelled', 10_000, async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => submit()));
      const cancel = ({ body }: ApiResponse) => call(`/api/v1/batches/${body?.batch_id}/cancel`, { method: 'POST' });
      return (await Promise.all(responses.map(cancel)))[0]!;
    }),
    repeat(`${endpoints} endpoints paused, replayed and resumed`, 5_000, async () => {
      await set('paused');
      await ofEach((path) =>
        call(`${path}/replay`, { method: 'POST', body: { since: '2026-01-01T00:00:00Z', status: 'all' } }),
      );
      return (await set('active'))[0]!;
    }),
    repeat('flood', 100, () => post({ webhook_url: refusing, ...flood() })),
    repeat('huge body', 100, () => post({ html: 'x'.repeat(2_000_000) })),
    repeat('body over the limit', 100, () => post({ html: 'x'.repeat(8_000_000) })),
    repeat('equal keys', 100, async () => {
      const headers = { 'Idempotency-Key': newIdempotencyKey() };
      const responses = await Promise.all(Array.from({ length: 20 }, () => post({ url: pages.url('/page') }, headers)));
      return responses[0]!;
    }),
    repeat('list', 20, () => call('/api/v1/captures?limit=100')),
    repeat('100 look-ups', 1_000, async () => {
      const responses = await Promise.all(Array.from({ length: 100 }, () => call('/api/v1/captures?limit=10')));
      return responses[0]!;
    }),
    repeat('delete', 50, async () => {
      const { body } = await call('/api/v1/captures?limit=1');
      return call(`/api/v1/captures/${body?.captures?.[0]?.request_id}`, { method: 'DELETE' });
    }),
    repeat('retry', 50, async () => {
      const { body } = await call('/api/v1/webhooks/deliveries?limit=1');
      return call(`/api/v1/webhooks/deliveries/${body?.deliveries?.[0]?.id}/retry`, { method: 'POST' });
    }),
    repeat('event stream', 200, async () => {
      const [id] = batches.batches;
      const url = `${gateway().url}/api/v1/batches/${id}/events`;
      const response = await fetch(url, { headers: { 'X-API-Key': key }, signal }).catch(() => null);
      return { status: response?.status ?? 0 };
    }),
  ]);
  return counts;
}
