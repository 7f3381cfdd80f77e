import { findOwnPort } from '@capture/testing/network/own-port';
import type { ChaosCase } from '../../case.ts';
import { newIdempotencyKey } from '../../harness/client.ts';

/** The limit of form A's plan business, whose bucket holds a thousand requests. */
const monthlyLimit = 10_000;

/** Requests for each remaining unit. One in five requests names a page that cannot be reached. */
const requestsPerUnit = 3;
const failingShare = 1 / 5;

export const quotaRace: ChaosCase = {
  name: 'quota-race',
  promise:
    'A thousand requests arrive at once for the last 300 captures of a month, some of them twice with one Idempotency-Key, some for pages that fail, while workers are killed: exactly the completed captures are charged, and never more than remained.',
  async run(context) {
    const platform = await context.open({ form: 'A', without: ['capture-worker'] });
    const { pages, database } = platform;
    const remaining = context.scaled(300, 8);
    const usedBefore = monthlyLimit - remaining;
    const client = await platform.newClient('business');
    const month = new Date().toISOString().slice(0, 7);
    await database.pool.query('INSERT INTO usage (account_id, month, used, reserved) VALUES ($1, $2, $3, 0)', [
      client.accountId,
      month,
      usedBefore,
    ]);
    const gateways = await Promise.all([platform.startGateway(), platform.startGateway()]);
    const unreachable = `http://127.0.0.1:${await findOwnPort()}/`;
    const requests = remaining * requestsPerUnit;
    const wave = () =>
      Promise.all(
        Array.from({ length: requests }, async (_, index) => {
          const url = index % Math.round(1 / failingShare) === 0 ? unreachable : pages.url('/page');
          const key = { 'Idempotency-Key': newIdempotencyKey() };
          const ask = (gateway: number) => platform.submit(gateways[gateway]!, client, { url }, key);
          // One in ten requests is sent twice at the same time, to different gateways.
          await Promise.all(index % 10 === 0 ? [ask(0), ask(1)] : [ask(index % 2)]);
        }),
      );
    await wave();
    const first = platform.submissions.accepted.size;
    context.expect(first === remaining, `exactly the remaining units are accepted (${first} of ${remaining})`);
    const refusals = [...platform.submissions.refused.keys()];
    context.expectEach(refusals, (status) => status === 429, 'the others are refused with 429');
    // Workers start only now, so that failed captures are refunded after the wave.
    const kills = context.scaled(4, 1);
    await Promise.all(Array.from({ length: context.isShort ? 1 : 2 }, () => platform.startWorker()));
    for (let kill = 0; kill < kills; kill += 1) {
      await platform.killWorker(platform.workers[0]!);
      await platform.startWorker();
    }
    await platform.settleCaptures();
    const { rows } = await database.pool.query('SELECT used, reserved FROM usage WHERE account_id = $1', [
      client.accountId,
    ]);
    const ledger = await platform.checkCaptures({ orphans: platform.kills * 2, usedBefore });
    const { used, reserved } = rows[0];
    context.expect(used <= monthlyLimit && reserved === 0, `no more is charged than remained (${used}, ${reserved})`);
    const failed = first - ledger.completed;
    context.expect(failed > 0, 'some of them fail');
    context.note(
      `${requests} requests for ${remaining} units: ${first} accepted, ${ledger.completed} completed and charged, ${failed} failed and refunded`,
    );
    return ledger;
  },
};
