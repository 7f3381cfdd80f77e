import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { type Client, send } from '../../harness/client.ts';

/** Every gateway refuses a revoked key after this time, milliseconds. */
const stopsWithinMs = 1_000;

/** A client that keeps using an invalid key is soon rate limited. */
const refusals = [401, 429];

const askers = 4;

/** A request with a key. */
interface Use {
  at: number;
  overAt: number;
  status: number;
}

export const revokedKeys: ChaosCase = {
  name: 'revoked-keys',
  promise:
    'Keys are revoked and rotated while they are in use on two gateways: a revoked key is refused everywhere within a second, both keys of a rotation work until the overlap ends, and no request with a valid key is ever refused.',
  async run(context) {
    const platform = await context.open({ without: ['capture-worker'] });
    const gateways = await Promise.all([platform.startGateway(), platform.startGateway()]);
    const owner = await platform.newClient('enterprise');
    const rounds = context.scaled(10, 2);
    let late = 0;
    for (let round = 0; round < rounds; round += 1) {
      const made = await send(gateways[0], owner, '/api/v1/keys', { method: 'POST', body: {} });
      const client = { accountId: owner.accountId, key: made.body.apiKey };
      const uses: Use[] = [];
      let over = false;
      const using = Array.from({ length: askers }, async (_, index) => {
        while (!over) {
          const at = Date.now();
          const { status } = await send(gateways[index % 2]!, client, '/api/v1/account');
          uses.push({ at, overAt: Date.now(), status });
        }
      });
      await waitUntil(() => uses.length > askers, { what: 'the key to be in use' });
      const revokingAt = Date.now();
      const { status } = await send(gateways[0], owner, `/api/v1/keys/${made.body.id}`, { method: 'DELETE' });
      const revokedAt = Date.now();
      await waitUntil(() => uses.filter(({ at }) => at > revokedAt + stopsWithinMs).length > askers, {
        what: 'requests after its end',
      });
      over = true;
      await Promise.all(using);
      context.expect(status === 204, `a key is revoked (${status})`);
      const taken = uses.filter(
        ({ at, status: response }) => at > revokedAt + stopsWithinMs && !refusals.includes(response),
      );
      context.expect(taken.length === 0, `a revoked key is refused (${taken.length} requests were not)`);
      const early = uses.filter(({ overAt, status: response }) => overAt < revokingAt && response !== 200);
      context.expect(early.length === 0, 'a valid key is accepted');
      late += uses.filter(({ at, status: response }) => at > revokedAt && response === 200).length;
    }
    context.note(`${rounds} keys revoked in use; ${late} requests were accepted after that, all within a second`);
    await rotate(context, platform.database.pool, gateways, owner);
    const capture = await platform.submit(gateways[0], owner, { url: platform.pages.url('/page') });
    await send(gateways[1], owner, `/api/v1/captures/${capture.body?.request_id}`, { method: 'DELETE' });
    return platform.checkCaptures();
  },
};

type Context = Parameters<ChaosCase['run']>[0];
type Gateways = { url: string }[];
type Pool = { query(text: string, values: unknown[]): Promise<unknown> };

/** Both keys work in the overlap. Afterwards the old key does not. */
async function rotate(context: Context, pool: Pool, gateways: Gateways, { accountId, key }: Client): Promise<void> {
  const made = await send(gateways[0]!, { key }, '/api/v1/keys', { method: 'POST', body: {} });
  const old = { key: made.body.apiKey };
  const path = `/api/v1/keys/${made.body.id}/rotate`;
  const rotated = await send(gateways[0]!, { key }, path, { method: 'POST', body: { overlap_s: 600 } });
  const next = { key: rotated.body.apiKey };
  const use = (client: { key: string }) =>
    Promise.all(gateways.map(async (gateway) => (await send(gateway, client, '/api/v1/account')).status));
  const both = [...(await use(old)), ...(await use(next))];
  context.expectEach(both, (status) => status === 200, 'both keys work in the overlap');
  // The update skips the ten minutes.
  await pool.query('UPDATE api_key SET expires_at = now() WHERE account_id = $1 AND expires_at > now()', [accountId]);
  const [after, still] = [await use(old), await use(next)];
  context.expect(
    after.every((status) => refusals.includes(status)) && still.every((status) => status === 200),
    `afterwards only the new one works (${after.join(', ')}; ${still.join(', ')})`,
  );
}
