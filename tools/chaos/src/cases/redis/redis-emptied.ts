import { setTimeout as sleep } from 'node:timers/promises';
import { makeReceiversDue } from '@capture/database/deliveries/receivers';
import { quantile } from '@capture/testing/statistics';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import type { Platform } from '../../harness/platform.ts';
import { onRedis } from '../../harness/servers.ts';

/** One retry in ten is due in hours, like the later retries of the published schedule. */
const farShare = 1 / 10;
const farMs = 4 * 3_600_000;

/** The number of flushes. A claim stays in Redis for milliseconds only, so only some flushes hit a claim. */
const flushes = 40;
const betweenMs = 25;

export const redisEmptied: ChaosCase = {
  name: 'redis-emptied',
  promise:
    'Redis loses everything while 10,000 retries are scheduled, some due soon, some due now and some in four hours: none is lost, and none is early.',
  async run(context) {
    // The delay is so long that all first attempts end before the first retry is due.
    const nearMs = context.hurried ? 5_000 : 60_000;
    const platform = await context.open({
      retryDelaysMs: [nearMs, farMs, farMs, farMs, farMs],
      without: ['webhook-dispatcher'],
    });
    const { receiver, servers } = platform;
    const count = context.scaled(10_000);
    const attemptsAtLeast = async (attempts: number, deliveries: number) =>
      (await platform.count('FROM delivery WHERE attempt_count >= $1', [attempts])) >= deliveries;
    const far = Math.round(count * farShare);
    for (const [failures, events] of [
      [1, count - far],
      [2, far],
    ] as const) {
      const accountId = await platform.newAccount();
      const webhookUrl = receiver.url({ kind: 500, times: failures });
      await platform.produceMany({ accountId, webhookUrl }, events);
    }
    await platform.startDispatcher();
    await platform.startDispatcher();

    const emptied = async (what: string) => {
      const before = await readSchedule(platform);
      await onRedis(servers.redis.url, (redis) => redis.flushall());
      const after = await readSchedule(platform);
      // A delivery that was claimed meanwhile has a lease instead of a due time, and another attempt number.
      const kept = [...before].filter(([id, { attempt }]) => after.get(id)?.attempt === attempt);
      const moved = kept.filter(([id, { at }]) => after.get(id)?.at !== at);
      context.expect(
        moved.length === 0,
        `no due time changes when Redis is emptied with ${what} (${moved.length} did)`,
      );
      context.note(`emptied with ${before.size} retries scheduled (${what})`);
      return before;
    };
    await waitUntil(() => attemptsAtLeast(1, count), { what: 'every first attempt to have failed' });
    const near = await emptied('the near ones');
    await waitUntil(() => attemptsAtLeast(2, 1), { what: 'retries to be on their way' });
    for (let times = 0; times < flushes; times += 1) {
      await onRedis(servers.redis.url, (redis) => redis.flushall());
      await sleep(betweenMs);
    }
    context.note(`emptied ${flushes} times while retries were being sent`);
    await waitUntil(() => attemptsAtLeast(2, count), { what: 'the far retries to be scheduled' });
    await emptied('the far ones');
    const scheduled = await readSchedule(platform);
    context.expect(scheduled.size === far, `${far} retries are hours away (${scheduled.size} are)`);
    await becomeDue(platform);
    const ledger = await platform.finishDeliveries();
    const lateMs = ledger.hits
      // On a slow machine some deliveries had two attempts already. Their next attempt is hours later, which the test skips.
      .filter(({ number, id }) => number === 2 && near.get(id)?.attempts === 1)
      .map(({ id, at }) => at - near.get(id)!.at);
    context.expect(Math.min(...lateMs) >= 0, 'no retry is early');
    context.note(`delay of retries: p50 ${quantile(lateMs, 0.5)} ms, p95 ${quantile(lateMs, 0.95)} ms`);
    return ledger;
  },
};

interface Scheduled {
  /** The number of the claim. */
  attempt: number;
  attempts: number;
  at: number;
}

/** Reads the due times of deliveries that are not in progress, by event. */
async function readSchedule({ database }: Platform): Promise<Map<string, Scheduled>> {
  const { rows } = await database.pool.query(
    `SELECT event_id, attempt, attempt_count, next_attempt_at FROM delivery WHERE status = 'pending' AND lease_until IS NULL`,
  );
  return new Map(
    rows.map((row) => [
      row.event_id,
      { attempt: row.attempt, attempts: row.attempt_count, at: row.next_attempt_at.getTime() },
    ]),
  );
}

/** Makes all deliveries due, as four hours would. */
async function becomeDue({ database }: Platform): Promise<void> {
  const { rows } = await database.pool.query(
    `UPDATE delivery SET next_attempt_at = now() WHERE status = 'pending' AND lease_until IS NULL
     RETURNING account_id AS "accountId", host`,
  );
  await makeReceiversDue(database.pool, rows, new Date());
}
