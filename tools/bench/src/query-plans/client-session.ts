import { createHmac } from 'node:crypto';
import { forms } from '@capture/contract/forms/forms';
import { signedText } from '@capture/contract/links/link-parameters';
import type { NamedAccount } from './population.ts';
import { type Ask, often, RequestError, unlessTooSlow } from './requests.ts';

export interface ClientSession {
  ask: Ask;
  account: NamedAccount;
  /** A page that may be captured. */
  pageUrl: string;
  /** A receiver of webhooks that responds with 200. */
  receiverUrl: string;
}

interface Listed {
  next_cursor: string | null;
}

const dayMs = 86_400_000;

/** Uses every route of an account, and each list with each filter and its second page. */
export async function playClient(session: ClientSession): Promise<void> {
  await playCaptures(session);
  await playBatches(session);
  await playEndpoints(session);
  await playDeliveries(session);
  await playPresets(session);
  await playAccount(session);
  await playLinks(session);
}

/** Reads a list and its second page. */
async function readList(ask: Ask, path: string, filter: Record<string, string> = {}): Promise<void> {
  const read = (more: Record<string, string> = {}) =>
    unlessTooSlow(ask<Listed>('GET', `${path}?${new URLSearchParams({ ...filter, ...more })}`));
  const first = await read();
  if (first && first.body.next_cursor !== null) await read({ cursor: first.body.next_cursor, limit: '100' });
}

async function playCaptures({ ask, pageUrl, receiverUrl }: ClientSession): Promise<void> {
  const options = { url: pageUrl, width: 640, height: 480, webhook_url: receiverUrl };
  const taken = await ask<{ request_id: string; file_url: string }>('POST', '/api/v1/screenshot', {
    body: { ...options, response_type: 'json' },
  });
  // The first request gets the first capture's file, the second the cached file.
  for (let turn = 0; turn < 2; turn += 1) {
    await ask('POST', '/api/v1/screenshot', { body: { ...options, cache_ttl_s: 3600 } });
  }
  const headers = { 'Idempotency-Key': 'once' };
  await often(() => ask('POST', '/api/v1/screenshot', { body: { ...options, async: true }, headers }));
  const file = new URL(taken.body.file_url);
  await often(() => ask('GET', file.pathname + file.search));
  await often(() => ask('GET', `/api/v1/captures/${taken.body.request_id}`));
  for (const status of ['queued', 'processing', 'completed', 'failed', 'cancelled']) {
    await readList(ask, '/api/v1/captures', { status });
  }
  for (const type of ['screenshot', 'pdf', 'og_image']) await readList(ask, '/api/v1/captures', { type });
  await readList(ask, '/api/v1/captures', { type: 'og_image', status: 'failed' });
  await readList(ask, '/api/v1/captures');
  const span = {
    since: new Date(Date.now() - 7 * dayMs).toISOString(),
    until: new Date(Date.now() - dayMs).toISOString(),
  };
  await readList(ask, '/api/v1/captures', span);
  await readList(ask, '/api/v1/captures', { ...span, status: 'failed' });
  // Searches that match no capture read the most.
  for (const url of ['example', 'in no url']) {
    await readList(ask, '/api/v1/captures', { url });
    await readList(ask, '/api/v1/captures', { url, status: 'failed', ...span });
  }
  const { body: batches } = await ask<{ batches: { batch_id: string }[] }>('GET', '/api/v1/batches');
  for (const { batch_id } of batches.batches.slice(0, 1)) {
    await readList(ask, '/api/v1/captures', { batch_id });
    await readList(ask, '/api/v1/captures', { batch_id, status: 'failed' });
  }
  await ask('DELETE', `/api/v1/captures/${taken.body.request_id}`);
  const waiting = await ask<{ request_id: string }>('POST', '/api/v1/screenshot', {
    body: { url: pageUrl, async: true },
  });
  await ask('DELETE', `/api/v1/captures/${waiting.body.request_id}`);
}

async function playBatches({ ask, pageUrl, receiverUrl }: ClientSession): Promise<void> {
  const submit = async (count: number) => {
    const items = Array.from({ length: count }, () => ({ url: pageUrl, width: 320, height: 240 }));
    const body = { items, webhook_url: receiverUrl };
    return (await ask<{ batch_id: string }>('POST', '/api/v1/batches', { body })).body.batch_id;
  };
  // Each item is a tenth, whose progress is an event. More items, each a third of a second, would run no new statements.
  const finished = await submit(10);
  await ask('GET', `/api/v1/batches/${finished}/events`);
  await ask('GET', `/api/v1/batches/${finished}/archive`);
  const cancelled = await submit(200);
  await ask('POST', `/api/v1/batches/${cancelled}/cancel`);
  await readList(ask, '/api/v1/batches');
  await often(() => ask('GET', `/api/v1/batches/${cancelled}?limit=20&cursor=10`));
}

async function playEndpoints({ ask, account, receiverUrl }: ClientSession): Promise<void> {
  const path = '/api/v1/webhooks';
  const body = { url: `${receiverUrl}/new`, events: ['capture.failed'] };
  const made = await ask<{ id: string }>('POST', path, { body });
  const own = `${path}/${made.body.id}`;
  await ask('POST', path, { body: { webhook_url: receiverUrl, events: ['capture.completed'] } });
  await readList(ask, path);
  await ask('GET', own);
  await ask('POST', `${own}/test`, { body: {} });
  await ask('POST', `${own}/rotate-secret`, { body: {} });
  await ask('DELETE', own);
  for (const id of account.endpointIds.slice(0, 2)) await ask('GET', `${path}/${id}/statistics?days=30`);
  // The endpoint has deliveries, whose open ones follow the change.
  for (const change of [{ status: 'paused' }, { status: 'active' }, { url: `${receiverUrl}/moved` }]) {
    await ask('PATCH', `${path}/${account.endpointIds[0]}`, { body: change });
  }
}

async function playDeliveries({ ask, account }: ClientSession): Promise<void> {
  const path = '/api/v1/webhooks/deliveries';
  const [, webhook_id = '', replayed = '', deleted = ''] = account.endpointIds;
  const weekAgo = new Date(Date.now() - 7 * dayMs).toISOString();
  const dayAgo = new Date(Date.now() - dayMs).toISOString();
  await readList(ask, path);
  for (const status of ['pending', 'delivered', 'failed', 'paused']) {
    await readList(ask, path, { status });
    await readList(ask, path, { status, webhook_id });
  }
  for (const event of forms.B.events.names) {
    await readList(ask, path, { event });
  }
  await readList(ask, path, { webhook_id });
  await readList(ask, path, { since: weekAgo, until: dayAgo });
  await readList(ask, path, { since: weekAgo, until: dayAgo, webhook_id, status: 'failed' });
  const { body } = await ask<{ deliveries: { id: string }[] }>('GET', `${path}?status=failed&webhook_id=${webhook_id}`);
  for (const { id: deliveryId } of body.deliveries.slice(0, 3)) {
    await ask('GET', `${path}/${deliveryId}`);
    await ask('POST', `${path}/${deliveryId}/retry`);
  }
  const since = new Date(Date.now() - 2 * dayMs).toISOString();
  if (replayed === '') return;
  await ask('POST', `/api/v1/webhooks/${replayed}/replay`, { body: { since, status: 'failed' } });
  const headers = { 'Idempotency-Key': 'replayed once' };
  await ask('POST', `/api/v1/webhooks/${replayed}/replay`, { body: { since: dayAgo, status: 'all' }, headers });
  await ask('DELETE', `/api/v1/webhooks/${deleted}`);
}

async function playPresets({ ask }: ClientSession): Promise<void> {
  const path = '/api/v1/presets';
  for (const name of ['shop', 'shop', 'card', 'blog']) {
    await ask('PUT', `${path}/${name}`, { body: { options: { width: 800, headers: { 'X-Preview': 'on' } } } });
  }
  await readList(ask, path, { limit: '1' });
  await ask('GET', `${path}/shop`);
  await ask('GET', `${path}/shop@1`);
  // Equal requests read the preset each time, before the key, and are one capture.
  const use = (preset: string) =>
    ask('POST', '/api/v1/screenshot', {
      body: { url: 'https://example.com/', async: true, preset },
      headers: { 'Idempotency-Key': `with ${preset}` },
    });
  for (const preset of ['shop', 'shop@1']) await often(() => use(preset));
  // The error names the presets, so the request reads their names.
  await use('missing').catch((error: unknown) => {
    if (!(error instanceof RequestError && error.status === 400)) throw error;
  });
  await ask('DELETE', `${path}/card`);
}

async function playAccount({ ask }: ClientSession): Promise<void> {
  await ask('GET', '/api/v1/account');
  await often(() => ask('GET', '/api/v1/usage?days=30'));
  await ask('GET', '/api/v1/account/signing-secret');
  await ask('POST', '/api/v1/account/signing-secret');
  const added = await ask<{ id: string }>('POST', '/api/v1/keys', { body: { name: 'another' } });
  await readList(ask, '/api/v1/keys', { limit: '1' });
  const rotated = await ask<{ id: string }>('POST', `/api/v1/keys/${added.body.id}/rotate`, { body: { overlap_s: 0 } });
  await ask('DELETE', `/api/v1/keys/${rotated.body.id}`);
}

/** Signs in to the dashboard, reads with the session, and signs out. @param ask sends no key. */
export async function playSignIn(ask: Ask, keys: { api_key?: string; operator_key?: string }): Promise<void> {
  const { headers } = await ask('POST', '/api/auth/session', { body: keys });
  const cookie = { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', 'X-Requested-With': 'dashboard' };
  const path = keys.api_key === undefined ? '/api/operator/deployment' : '/api/v1/account';
  await often(() => ask('GET', path, { headers: cookie }));
  await ask('DELETE', '/api/auth/session', { headers: cookie });
}

async function playLinks({ ask, pageUrl }: ClientSession): Promise<void> {
  const policy = '/api/v1/links/policy';
  await ask('PUT', policy, { body: { renders_per_day: 1_000, renders_per_link: 10, renders_per_host: 100 } });
  await ask('GET', policy);
  const { body } = await ask<{ secret: string }>('POST', '/api/v1/links/secret');
  await ask('GET', '/api/v1/links/secret');
  const { body: keys } = await ask<{ keys: { id: string }[] }>('GET', '/api/v1/keys');
  const text = signedText('screenshot.png', [
    ['url', pageUrl],
    ['width', '777'],
  ]);
  const signature = createHmac('sha256', body.secret).update(text).digest('hex');
  const link = `/r/${keys.keys[0]?.id}/${signature}/${text}`;
  // The first use renders. Equal links at the same time wait for one render.
  await Promise.all([ask('GET', link), ask('GET', link)]);
  await often(() => ask('GET', link));
  await ask('DELETE', '/api/v1/links/secret');
}
