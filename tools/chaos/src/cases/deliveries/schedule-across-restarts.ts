import { quantile } from '@capture/testing/statistics';
import { waitUntil } from '@capture/testing/wait-until';
import type { ChaosCase } from '../../case.ts';
import { restartRedis } from '../../harness/injected-faults.ts';

export const scheduleAcrossRestarts: ChaosCase = {
  name: 'schedule-across-restarts',
  promise:
    'A receiver refuses everything, and between attempts the dispatcher is killed, or Redis is emptied and restarted: each retry follows after its own delay, never earlier, and the sixth attempt is the last.',
  async run(context) {
    const unitMs = context.hurried ? 300 : 3_000;
    const retryDelaysMs = [1, 2, 3, 4, 5].map((times) => times * unitMs);
    const platform = await context.open({ retryDelaysMs, without: ['webhook-dispatcher'] });
    const { database, receiver } = platform;
    const accountId = await platform.newAccount();
    const count = context.scaled(200);
    const attempts = retryDelaysMs.length + 1;
    await platform.produceMany({ accountId, webhookUrl: receiver.url({ kind: 500, times: 'all' }) }, count);
    await platform.startDispatcher();
    for (let attempt = 1; attempt < attempts; attempt += 1) {
      await waitUntil(async () => (await leastAttempts()) >= attempt, { what: `attempt ${attempt} of all` });
      if (attempt % 2 === 1) {
        await platform.killDispatcher(platform.dispatchers[0]!);
        await platform.startDispatcher();
      } else {
        await restartRedis(platform);
      }
    }
    await platform.settleDeliveries();

    const failing = new Set(platform.produced.acknowledged.keys());
    const ledger = await platform.checkDeliveries({ failing });
    const { rows } = await database.pool.query<{ number: number; afterMs: number | null }>(
      `SELECT number, extract(epoch FROM started_at
                - lag(started_at + make_interval(secs => duration_ms / 1000.0)) OVER each) * 1000 AS "afterMs"
         FROM delivery_attempt WINDOW each AS (PARTITION BY delivery_id ORDER BY number)`,
    );
    // The duration of an attempt is recorded in whole milliseconds.
    const roundedMs = 1;
    const lateMs = rows
      .filter(({ afterMs }) => afterMs !== null)
      .map(({ number, afterMs }) => Number(afterMs) + roundedMs - retryDelaysMs[number - 2]!);
    context.expect(Math.min(...lateMs) >= 0, `no retry is early (${Math.min(...lateMs)} ms)`);
    context.expect(
      rows.length === count * attempts && ledger.failed === count,
      `each fails after ${attempts} attempts (${rows.length} attempts, ${ledger.failed} failed)`,
    );
    context.note(
      `delay of retries: p50 ${Math.round(quantile(lateMs, 0.5))} ms, p95 ${Math.round(quantile(lateMs, 0.95))} ms`,
    );
    return ledger;

    async function leastAttempts(): Promise<number> {
      const { rows: least } = await database.pool.query('SELECT min(attempt_count)::int AS least FROM delivery');
      return least[0].least;
    }
  },
};
