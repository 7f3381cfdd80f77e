import type { NamedAccount, Population } from './population.ts';
import { type Ask, often, unlessTooSlow } from './requests.ts';

const dayMs = 86_400_000;
const path = '/api/operator';

/** Uses every route of the operator console and the operator command line. */
export async function playOperator(ask: Ask, { huge, small }: Population): Promise<void> {
  await playReading(ask);
  await playCaptures(ask, huge);
  await playDeliveries(ask, huge);
  await playAccounts(ask, small);
}

async function playReading(ask: Ask): Promise<void> {
  await often(() => ask('GET', `${path}/queues`));
  await often(() => ask('GET', `${path}/activity?minutes=60`));
  for (const name of ['processes', 'cleanup-jobs', 'deployment', 'secrets']) await ask('GET', `${path}/${name}`);
  await ask('POST', `${path}/secrets/reencrypt`, { body: {} });
  await ask('GET', '/metrics');
  await ask('GET', '/readyz');
}

async function playCaptures(ask: Ask, { id }: NamedAccount): Promise<void> {
  const lists = [
    {},
    { status: 'failed' },
    { status: 'queued' },
    { type: 'pdf' },
    { account_id: id },
    { account_id: id, status: 'failed' },
    { url: 'in no url' },
    { url: 'in no url', account_id: id },
    { since: ago(7), until: ago(6) },
  ];
  for (const filter of lists) {
    const query = new URLSearchParams({ limit: '100', ...filter });
    await unlessTooSlow(ask('GET', `${path}/captures?${query}`));
  }
}

async function playDeliveries(ask: Ask, { id, endpointIds }: NamedAccount): Promise<void> {
  const lists = [
    {},
    { status: 'pending' },
    { status: 'failed' },
    { status: 'delivered', event: 'batch.completed' },
    { event: 'capture.failed' },
    { account_id: id },
    { account_id: id, status: 'failed' },
    { webhook_id: endpointIds[1] ?? '', status: 'delivered' },
    { since: ago(7), until: ago(6) },
  ];
  for (const filter of lists) {
    const query = new URLSearchParams({ limit: '100', ...filter });
    await unlessTooSlow(ask('GET', `${path}/deliveries?${query}`));
  }
  for (const which of [{ account_id: id }, {}]) {
    const query = new URLSearchParams({ status: 'all', since: ago(2), ...which });
    await unlessTooSlow(ask('GET', `${path}/deliveries/replay?${query}`));
  }
  await ask('POST', `${path}/deliveries/replay`, { body: { status: 'failed', since: ago(1), account_id: id } });
  const { body } = await ask<{ deliveries: { id: string }[] }>(
    'GET',
    `${path}/deliveries?webhook_id=${endpointIds[1]}&status=delivered&limit=1`,
  );
  for (const { id: deliveryId } of body.deliveries) {
    await ask('GET', `${path}/deliveries/${deliveryId}`);
    await ask('POST', `${path}/deliveries/${deliveryId}/retry`);
  }
}

/** Finds an account, suspends and reactivates it, issues a key and a secret, and deletes it. */
async function playAccounts(ask: Ask, { id }: NamedAccount): Promise<void> {
  const { body } = await ask<{ next_cursor: string }>('GET', `${path}/accounts`);
  await ask('GET', `${path}/accounts?cursor=${body.next_cursor}&limit=100`);
  await ask('GET', `${path}/accounts?email=customer-7@example.com`);
  await ask('GET', `${path}/accounts?search=customer-7`);
  for (const status of ['suspended', 'active']) await ask('PATCH', `${path}/accounts/${id}`, { body: { status } });
  await ask('POST', `${path}/accounts/${id}/keys`);
  await ask('POST', `${path}/accounts/${id}/signing-secret`);
  await ask('DELETE', `${path}/accounts/${id}`);
}

function ago(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString();
}
