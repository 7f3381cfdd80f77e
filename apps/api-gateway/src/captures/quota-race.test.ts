import { monthOf } from '@capture/contract/api/month';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { openLockHolder } from '../limits/lock-holder.test-support.ts';
import { startSharedGateway } from '../test-gateway.ts';

const gateway = await startSharedGateway();
const url = 'https://example.com/';
const month = monthOf(new Date());

const holder = await openLockHolder(gateway);

describe('QUOTA_EXCEEDED for a request that other requests overtook', () => {
  it.each([
    ['a capture', '/api/v1/screenshot', { url, async: true }, 200, '0'],
    ['a capture that may reuse an equal one', '/api/v1/screenshot', { url, async: true, cache_ttl_s: 60 }, 200, '0'],
    ['a batch of more than remain', '/api/v1/batches', { items: [{ url }, { url }, { url }] }, 198, '2'],
  ])('shows what remains now: %s', async (name, path, body, usedNow, remaining) => {
    const email = `${name.length}@example.com`;
    const key = await gateway.register(email);
    const { id } = await gateway.database.prisma.account.findUniqueOrThrow({ where: { email } });
    await gateway.database.prisma.usage.create({ data: { accountId: id, month, used: 197 } });
    await holder.query('BEGIN');
    await holder.query('UPDATE usage SET used = $2 WHERE account_id = $1', [id, usedNow]);
    const refused = gateway.as(key).post(path).send(body).expect(429);
    refused.then(undefined, () => undefined);
    await waitUntil(() => holder.waiting(), { what: 'the request to wait for the other', timeoutMs: 10_000 });
    await holder.query('COMMIT');
    const response = await refused;
    expect(response.body.error_code).toBe('QUOTA_EXCEEDED');
    expect(response.headers['x-ratelimit-remaining']).toBe(remaining);
  });
});
