import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '@capture/testing/processes/process-usage';
import type { ChaosCase } from '../../case.ts';
import type { ApiResponse } from '../../harness/client.ts';

/** A capture of the page takes a second, so the worker renders as many captures per second as it has pages. */
const page = '<!doctype html><p>an ordinary page';
const slowPage = { '/page': { body: page, delayMs: 1_000 } };
const times = 10;

/** Maximum time of a synchronous capture in the queue, seconds, as the contract says. */
const queueTimeS = 30;

/** The allowed growth of memory in MB. V8 decides when to collect garbage. */
const grownAtMostMb = 150;

const sampleIntervalMs = 250;

export const overload: ChaosCase = {
  name: 'overload',
  promise:
    'For a minute ten times as many synchronous captures arrive as can be rendered: those that cannot be served in time are refused with the seconds to wait and not charged, all others complete, and neither the queue nor the memory of gateway and worker grows with the load.',
  async run(context) {
    const platform = await context.open();
    platform.pages.serve(slowPage);
    const pages = context.hurried ? 1 : 2;
    const perS = pages * times;
    // The limit is twice the number served in that time, because captures also arrive between two checks of the queue.
    const queuedAtMost = 2 * queueTimeS * pages;
    const [gateway, worker] = await Promise.all([
      platform.startGateway(),
      platform.startWorker({ concurrency: pages }),
    ]);
    // Each client submits once a second, like the user of an application.
    const clients = await Promise.all(Array.from({ length: perS }, () => platform.newClient('enterprise')));
    const ask = (index: number) =>
      platform.submit(gateway, clients[index % clients.length]!, {
        url: platform.pages.url(`/page?${index}`),
        async: false,
      });
    // These captures show the gateway the duration of a capture before the wave.
    for (let index = 0; index < pages; index += 1) await ask(index);

    const memory = () => [gateway, worker].map(({ process: { pid } }) => residentMb(pid) ?? 0);
    const before = memory();
    let most = { queued: 0, memory: before };
    let over = false;
    const looking = (async () => {
      while (!over) {
        const [now, queued] = [memory(), await platform.count(`FROM capture WHERE status = 'queued'`)];
        most = { queued: Math.max(most.queued, queued), memory: now.map((mb, i) => Math.max(mb, most.memory[i]!)) };
        await sleep(sampleIntervalMs);
      }
    })();
    const count = context.scaled(60, 10) * perS;
    const asking: Promise<ApiResponse>[] = [];
    for (let index = 0; index < count; index += 1) {
      asking.push(ask(index));
      await sleep(1_000 / perS);
    }
    // Rendering the queue at the old pace would take half a minute and prove nothing further.
    if (context.hurried) platform.pages.serve({ '/page': page });
    const responses = await Promise.all(asking);
    over = true;
    await looking;

    const withStatus = (status: number) => responses.filter((response) => response.status === status);
    const [completed, refused] = [withStatus(200), withStatus(503)];
    const others = responses.filter(({ status }) => status !== 200 && status !== 503).map(({ status }) => status);
    context.expect(others.length === 0, `all are served or refused (${others.slice(0, 3).join(', ')})`);
    context.expect(refused.length > completed.length, `most are refused (${refused.length} of ${count})`);
    context.expect(
      refused.every(({ body, headers }) => body?.error_code === 'OVERLOADED' && isWait(headers.get('retry-after'))),
      'each refusal is OVERLOADED and says how many seconds to wait',
    );
    context.expect(most.queued <= queuedAtMost, `at most ${queuedAtMost} are queued at once (${most.queued} were)`);
    for (const [i, name] of (['gateway', 'worker'] as const).entries()) {
      const [first, peak] = [before[i]!, most.memory[i]!];
      context.expect(
        peak - first <= grownAtMostMb,
        `the ${name} grows by at most ${grownAtMostMb} MB (from ${first} to ${peak})`,
      );
    }
    context.note(
      `${count} submitted: ${completed.length} completed, ${refused.length} refused; at most ${most.queued} queued at once`,
    );
    context.note(`MB of gateway and worker: ${before.join(', ')} before, ${most.memory.join(', ')} at most`);

    await platform.settleCaptures();
    context.expect((await ask(0)).status === 200, 'the next capture is served afterwards');
    return platform.checkCaptures();
  },
};

const isWait = (seconds: string | null) => seconds !== null && /^[1-9]\d*$/.test(seconds) && Number(seconds) <= 300;
