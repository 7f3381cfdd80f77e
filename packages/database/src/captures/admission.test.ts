import { expect, it } from '@jest/globals';
import {
  captureOf,
  completed,
  endingOf,
  eventContext,
  failed,
  loseWorkerOf,
  month,
  newAccount,
  rowOf,
  usageOf,
  useTestDatabase,
} from './captures.test-support.ts';
import { type ClaimedCapture, claimCapture } from './claim-capture.ts';
import { type CaptureOutcome, endCapture } from './end-capture.ts';
import { recoverCaptures } from './recover-captures.ts';
import { reserveCapture } from './reserve-capture.ts';

const database = await useTestDatabase(20);
const { pool } = database;
const context = eventContext('B');
const monthlyLimit = 1_500;
const usedBefore = 500;
const requests = 3_000;
/** Concurrent requests. With more, a slow machine would let some wait for one of the 20 connections longer than the pool allows. */
const concurrency = 200;

interface Life {
  id: string;
  outcome: CaptureOutcome;
  /** The number of workers that are lost with the capture before another worker ends it. After the third loss the capture fails. */
  losses: 0 | 1 | 2 | 3;
}

/** A fifth of the captures fail, one in seven loses a worker, and a few lose two or three. */
function lifeOf(id: string, index: number): Life {
  const losses = index % 63 === 0 ? 3 : index % 42 === 0 ? 2 : index % 7 === 0 ? 1 : 0;
  return { id, outcome: index % 5 === 0 ? failed : completed, losses };
}

/** Runs the recovery, concurrently with the other captures, until one run has found this capture's lost worker. */
async function recover(id: string): Promise<void> {
  await loseWorkerOf(pool, id);
  do await recoverCaptures(pool, context);
  while ((await rowOf(pool, 'capture', id)).status === 'processing');
}

/** Takes a capture to its end. Each outcome is recorded twice, and each lost worker reports its outcome too late. */
async function live({ id, outcome, losses }: Life): Promise<number> {
  const lost: ClaimedCapture[] = [];
  let ends = 0;
  const end = async (claim: ClaimedCapture, as: CaptureOutcome) => {
    const ended = await endCapture(pool, context, endingOf(claim, as));
    if (ended) ends += 1;
  };
  for (;;) {
    const claim = await claimCapture(pool, { captureId: id, workerId: `worker-${lost.length}` });
    // The recovery ended the capture after its third lost worker.
    if (!claim) break;
    if (lost.length < losses) {
      await recover(id);
      lost.push(claim);
      continue;
    }
    await Promise.all([end(claim, outcome), end(claim, outcome), ...lost.map((late) => end(late, completed))]);
    break;
  }
  await Promise.all(lost.map((late) => end(late, completed)));
  return ends;
}

it('the quota is exact: 3,000 requests for 1,000 units, 200 at once, with failures, double endings and lost workers', async () => {
  const { id: accountId } = await newAccount(database);
  await pool.query('INSERT INTO usage (account_id, month, used) VALUES ($1, $2, $3)', [accountId, month, usedBefore]);

  let running = true;
  let highest = 0;
  const sampling = (async () => {
    while (running) {
      const { used, reserved } = (await usageOf(pool, accountId)) as { used: number; reserved: number };
      highest = Math.max(highest, used + reserved);
    }
  })();
  const admitted: (Life & { ends: number })[] = [];
  const remaining = Array.from({ length: requests }).keys();
  const lane = async () => {
    for (const index of remaining) {
      const capture = captureOf(accountId, {
        monthlyLimit,
        webhookUrl: index % 2 ? 'https://hooks.example.com' : null,
      });
      if (!(await reserveCapture(pool, capture))) continue;
      const life = lifeOf(capture.id, index);
      admitted.push({ ...life, ends: await live(life) });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  running = false;
  await sampling;

  const done = admitted.filter((life) => life.outcome.status === 'completed' && life.losses < 3);
  // Failures return quota, so more than 1,000 captures were admitted, but not all.
  expect(admitted.length).toBeGreaterThanOrEqual(monthlyLimit - usedBefore);
  expect(admitted.length).toBeLessThan(requests);
  expect(done.length).toBeLessThanOrEqual(monthlyLimit - usedBefore);
  expect(await usageOf(pool, accountId)).toEqual({ used: usedBefore + done.length, reserved: 0 });
  expect(highest).toBe(monthlyLimit);

  for (const { losses, ends } of admitted) expect(ends).toBe(losses === 3 ? 0 : 1);
  const { rows: statuses } = await pool.query(
    'SELECT status, count(*)::int FROM capture WHERE account_id = $1 GROUP BY 1 ORDER BY 1',
    [accountId],
  );
  expect(statuses).toEqual([
    { status: 'completed', count: done.length },
    { status: 'failed', count: admitted.length - done.length },
  ]);
  const { rows: events } = await pool.query(
    `SELECT count(*)::int AS events, count(DISTINCT e.capture_id)::int AS captures, count(d.id)::int AS deliveries
       FROM event e LEFT JOIN delivery d ON d.event_id = e.id`,
  );
  const { rows: expected } = await pool.query('SELECT count(*)::int FROM capture WHERE webhook_url IS NOT NULL');
  const { count } = expected[0];
  expect(events).toEqual([{ events: count, captures: count, deliveries: count }]);
}, 300_000);
