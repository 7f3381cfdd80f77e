import type { ChaosCase } from '../../case.ts';
import { type ApiResponse, newIdempotencyKey, send } from '../../harness/client.ts';

const atOnce = 50;

export const concurrentDuplicates: ChaosCase = {
  name: 'concurrent-duplicates',
  promise:
    'Fifty equal requests arrive at once with one Idempotency-Key, on two gateways, one of which is killed; clients retry broken connections: one capture, one unit, one response for all.',
  async run(context) {
    const platform = await context.open({ without: ['capture-worker'] });
    const { pages } = platform;
    const gateways = await Promise.all([platform.startGateway(), platform.startGateway()]);
    const rounds = context.scaled(20, 2);
    let brokenOff = 0;
    for (let round = 0; round < rounds; round += 1) {
      const client = await platform.newClient('enterprise');
      const headers = { 'Idempotency-Key': newIdempotencyKey() };
      const ask = (index: number) =>
        platform.submit(gateways[index % 2]!, client, { url: pages.url(`/page-${round}`) }, headers);
      const killing = round % 2 === 1;
      const asking = Promise.all(Array.from({ length: atOnce }, (_, index) => ask(index)));
      if (killing) await platform.killGateway(gateways[1]);
      const responses: ApiResponse[] = [];
      for (const response of await asking) {
        if (response.status === 0) brokenOff += 1;
        responses.push(response.status === 0 ? await ask(0) : response);
      }
      if (killing) gateways[1] = await platform.startGateway();
      const distinct = new Set(responses.map(({ status, body }) => `${status} ${body?.request_id}`));
      context.expect(
        distinct.size === 1 && /^202 req_/.test([...distinct][0] ?? ''),
        `all get the same response (${[...distinct].slice(0, 3).join('; ')})`,
      );
      const first = responses.filter(({ headers: own }) => own.get('idempotency-replayed') === null);
      context.expect(first.length <= 1, `at most one of them is the first (${first.length} were)`);
      const captures = await platform.count('FROM capture WHERE account_id = $1', [client.accountId]);
      context.expect(captures === 1, `there is one capture (${captures})`);
      const { body } = await send(gateways[0], client, '/api/v1/account');
      context.expect(body?.usage?.reserved === 1, `one unit is reserved (${body?.usage?.reserved})`);
      await send(gateways[0], client, `/api/v1/captures/${responses[0]?.body?.request_id}`, { method: 'DELETE' });
    }
    context.note(`${rounds} times ${atOnce} at once; ${brokenOff} lost their gateway and were retried`);

    return platform.checkCaptures();
  },
};
