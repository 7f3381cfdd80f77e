import { findOwnPort } from '@capture/testing/network/own-port';
import { residentMb } from '@capture/testing/processes/process-usage';
import type { ChaosCase } from '../../case.ts';
import type { Platform } from '../../harness/platform.ts';
import { nothingProduced, produceMany } from '../../harness/produce-events.ts';
import { type Kind, pathFor, redirectTarget } from '../../receiver/behavior.ts';

/** How often a receiver misbehaves before it accepts an event. */
const oddTimes = 2;

/** The number of retries in form B's schedule. */
const retries = 5;

const dispatcherMbAtMost = 512;

/** The error that the delivery log records for each kind. */
const errors: [kind: Kind, error: string][] = [
  ['reset', 'reset'],
  ['redirect', 'redirect'],
  ['invalid', 'invalid_response'],
  ['hang', 'timeout'],
  ['slow-headers', 'timeout'],
  ['drip', 'timeout'],
  [410, 'http_4xx'],
  [429, 'http_4xx'],
  [500, 'http_5xx'],
];

export const oddReceivers: ChaosCase = {
  name: 'odd-receivers',
  promise:
    "Receivers refuse, reset, redirect, send invalid HTTP, one byte a second or endless responses, or have a bad certificate: the log has the error of each attempt, a redirect's target is never requested, and receivers that recover get their events.",
  async run(context) {
    const platform = await context.open({ retryDelaysMs: Array(retries).fill(200), timeoutMs: 2_000 });
    const { receiver } = platform;
    const dispatcher = await platform.startDispatcher();
    const count = context.scaled(10);
    const expected = new Map<string, { name: string; error: string; attempts: number }>();
    const failing = new Set<string>();
    const send = async (name: string, webhookUrl: string, error: string, attempts: number) => {
      const own = nothingProduced();
      // Each kind has its own account and port, so that none delays another.
      await produceMany(platform, { accountId: await platform.newAccount(), webhookUrl }, own, count);
      for (const [id, at] of own.acknowledged) {
        platform.produced.acknowledged.set(id, at);
        expected.set(id, { name, error, attempts });
        if (attempts > oddTimes) failing.add(id);
      }
    };
    const [endless, ...ports] = await receiver.listen(1 + errors.length);
    for (const [index, [kind, error]] of errors.entries()) {
      await send(
        String(kind),
        `https://127.0.0.1:${ports[index]}${pathFor({ kind, times: oddTimes })}`,
        error,
        oddTimes,
      );
    }
    // The dispatcher needs only the status, and cuts off the rest.
    await send(
      'endless',
      `https://127.0.0.1:${endless}${pathFor({ kind: 'endless', times: oddTimes })}`,
      'delivered',
      0,
    );
    for (const certificate of ['self-signed', 'expired', 'wrong-name'] as const) {
      const [port] = await receiver.listen(1, certificate);
      await send(certificate, `https://127.0.0.1:${port}/200/0/0`, 'tls', retries + 1);
    }
    await send('refused', `https://127.0.0.1:${await findOwnPort()}/200/0/0`, 'refused', retries + 1);
    await send('blocked', 'https://10.0.0.1/200/0/0', 'blocked', retries + 1);
    let mostMb = 0;
    const sampling = setInterval(() => {
      mostMb = Math.max(mostMb, residentMb(dispatcher.process.pid) ?? 0);
    }, 250);
    try {
      await platform.settleDeliveries();
    } finally {
      clearInterval(sampling);
    }

    const ledger = await platform.checkDeliveries({ failing });
    const log = await readErrors(platform);
    for (const [id, { name, error, attempts }] of expected) {
      const recorded = log.get(id) ?? [];
      const right = recorded.length === attempts && recorded.every((each) => each === error);
      context.expect(right, `${name}: ${attempts} attempts fail with ${error} (${recorded.join(', ') || 'none'})`);
    }
    const followed = ledger.hits.filter(({ path }) => path === redirectTarget).length;
    context.expect(followed === 0, `no redirect is followed (${followed} were)`);
    context.expect(mostMb < dispatcherMbAtMost, `the dispatcher stays under ${dispatcherMbAtMost} MB (${mostMb})`);
    context.note(`dispatcher: ${mostMb} MB at most`);
    context.note(
      [...new Map([...expected.values()].map(({ name, error }) => [name, error]))]
        .map((pair) => pair.join(' → '))
        .join(', '),
    );
    return ledger;
  },
};

/** Reads the errors of each request's attempts, in order. */
async function readErrors({ database }: Platform): Promise<Map<string, string[]>> {
  const { rows } = await database.pool.query(
    `SELECT e.capture_id AS "requestId", array_agg(a.error ORDER BY a.number) AS errors
       FROM delivery_attempt a JOIN delivery d ON d.id = a.delivery_id JOIN event e ON e.id = d.event_id
      WHERE a.error IS NOT NULL GROUP BY 1`,
  );
  return new Map(rows.map((row) => [row.requestId, row.errors]));
}
