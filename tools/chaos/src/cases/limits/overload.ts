import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '@capture/testing/process-usage';
import type { ChaosCase } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { type ApiResponse, noSubmissions, submitCapture } from '../../harness/client.ts';
import type { Platform } from '../../harness/platform.ts';
import { settleCaptures } from '../../harness/settle.ts';

/** Two pages that take a second each: two captures a second at most, on any machine. */
const pages = 2;
const pageMs = 1_000;
const capacityPerS = (pages * 1_000) / pageMs;
const times = 10;

/** Each asks once a second, as anybody does who draws in a page of an application. */
const clientsAtOnce = capacityPerS * times;

/** A synchronous capture waits in the queue for so long at most; the contract's, seconds. */
const patienceS = 30;

/** Twice what can be served in that time: what came in between two looks at the queue is in it too. */
const queuedAtMost = 2 * patienceS * capacityPerS;

/** A process's heap is collected when V8 likes, MB. */
const grownAtMostMb = 150;

const lookEveryMs = 250;

export const overload: ChaosCase = {
  name: 'overload',
  promise:
    'For a minute ten times as many synchronous captures come in as can be made: who cannot be served in time is told so with the seconds to wait and not charged, everybody else gets the picture, and neither the queue nor the memory of gateway and worker grows with what is submissions.',
  async run(context) {
    const platform = await context.open();
    platform.pages.serve({ '/page': { body: '<!doctype html><p>an ordinary page', delayMs: pageMs } });
    const [gateway, worker] = await Promise.all([
      platform.startGateway(),
      platform.startWorker({ concurrency: pages }),
    ]);
    const clients = await Promise.all(Array.from({ length: clientsAtOnce }, () => platform.newClient('enterprise')));
    const submissions = noSubmissions();
    const ask = (index: number) =>
      submitCapture(gateway, clients[index % clients.length]!, submissions, {
        url: platform.pages.url(`/page?${index}`),
        async: false,
      });
    // What a capture takes is known before the wave.
    for (let index = 0; index < pages; index += 1) await ask(index);

    const memory = () => [gateway, worker].map(({ process: { pid } }) => residentMb(pid) ?? 0);
    const before = memory();
    let most = { queued: 0, memory: before };
    let over = false;
    const looking = (async () => {
      while (!over) {
        const [now, queued] = [memory(), await countQueued(platform)];
        most = { queued: Math.max(most.queued, queued), memory: now.map((mb, i) => Math.max(mb, most.memory[i]!)) };
        await sleep(lookEveryMs);
      }
    })();
    const count = context.scaled(60, 8) * capacityPerS * times;
    const everyMs = 1_000 / (capacityPerS * times);
    const asking: Promise<ApiResponse>[] = [];
    for (let index = 0; index < count; index += 1) {
      asking.push(ask(index));
      await sleep(everyMs);
    }
    const responses = await Promise.all(asking);
    over = true;
    await looking;

    const of = (status: number) => responses.filter((response) => response.status === status);
    const [made, refused] = [of(200), of(503)];
    const others = responses.filter(({ status }) => status !== 200 && status !== 503).map(({ status }) => status);
    context.expect(others.length === 0, `all are served or refused (${others.slice(0, 3).join(', ')})`);
    context.expect(refused.length > made.length, `most are refused (${refused.length} of ${count})`);
    context.expect(
      refused.every(({ body, headers }) => body?.error_code === 'OVERLOADED' && isWait(headers.get('retry-after'))),
      'each refusal is OVERLOADED and says how many seconds to wait',
    );
    context.expect(most.queued <= queuedAtMost, `no more than ${queuedAtMost} wait at once (${most.queued} did)`);
    for (const [i, name] of (['gateway', 'worker'] as const).entries()) {
      const [first, peak] = [before[i]!, most.memory[i]!];
      context.expect(
        peak - first <= grownAtMostMb,
        `the ${name} grows by ${grownAtMostMb} MB at most (from ${first} to ${peak})`,
      );
    }
    context.note(
      `${count} were submissions for: ${made.length} made, ${refused.length} refused; ${most.queued} waited at once at most`,
    );
    context.note(`MB of gateway and worker: ${before.join(', ')} before, ${most.memory.join(', ')} at most`);

    await settleCaptures(platform, context);
    context.expect((await ask(0)).status === 200, 'afterwards the next one is served');
    return checkCaptures(platform, submissions);
  },
};

const isWait = (seconds: string | null) => seconds !== null && /^[1-9]\d*$/.test(seconds) && Number(seconds) <= 300;

async function countQueued({ database }: Platform): Promise<number> {
  const { rows } = await database.pool.query(`SELECT count(*)::int AS queued FROM capture WHERE status = 'queued'`);
  return rows[0].queued;
}
