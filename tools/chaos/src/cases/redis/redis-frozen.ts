import { isAlive } from '@capture/testing/process-list';
import { type ChaosCase, combine } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { noSubmissions, send, submitCapture } from '../../harness/client.ts';
import { addEventsOf } from '../../harness/produce-events.ts';
import { settleCaptures, settleDeliveries } from '../../harness/settle.ts';

/** A synchronous capture that no worker takes within 30 s is refused; the long form waits for that. */
const longMs = 35_000;

export const redisFrozen: ChaosCase = {
  name: 'redis-frozen',
  promise:
    'Redis takes connections and responses nothing (SIGSTOP): captures are accepted all the same and look-ups answered, who waits is refused in the end and not charged, and when it goes on everything is made and delivered without a restart.',
  async run(context) {
    const platform = await context.open();
    const { pages, receiver, servers } = platform;
    pages.serve({ '/page': '<!doctype html><p>an ordinary page' });
    const started = await Promise.all([platform.startGateway(), platform.startWorker(), platform.startDispatcher()]);
    const [gateway] = started;
    const client = await platform.newClient('enterprise');
    const submissions = noSubmissions();
    const options = { url: pages.url('/page'), webhook_url: receiver.url() };
    await submitCapture(gateway, client, submissions, { ...options, async: false });

    const { pid } = servers.redis;
    process.kill(pid, 'SIGSTOP');
    let waited = 0;
    try {
      // With the one that waits fewer than the plan allows at once: the rate is held without Redis too.
      const count = context.scaled(15, 3);
      const frozenAt = Date.now();
      const waiting = submitCapture(gateway, client, submissions, { ...options, async: false });
      // All of it is answered while Redis is frozen: it goes on only afterwards.
      const responses = await Promise.all(
        Array.from({ length: count }, () => submitCapture(gateway, client, submissions, options)),
      );
      context.expect(
        responses.every(({ status }) => status === 202),
        `captures are accepted (${responses.map(({ status }) => status).join(', ')})`,
      );
      context.note(`${count} were accepted within ${Math.max(...responses.map(({ tookMs }) => tookMs))} ms each`);
      const looked = await send(gateway, client, `/api/v1/captures/${responses[0]?.body?.request_id}`);
      context.expect(looked.body?.status === 'queued', `look-ups are answered (${looked.status})`);
      if (!context.hurried) {
        const { status, body } = await waiting;
        context.expect(status === 503 && body?.error_code === 'OVERLOADED', `who waits is refused (${status})`);
        waited = Math.max(0, longMs - (Date.now() - frozenAt));
        await new Promise((resolve) => setTimeout(resolve, waited));
      }
      context.note(`frozen for ${Math.round((Date.now() - frozenAt) / 1_000)} s`);
      process.kill(pid, 'SIGCONT');
      if (context.hurried) {
        const { status } = await waiting;
        // A machine with much else to do may need longer than a client waits in the queue.
        context.expect([200, 503].includes(status), `who waited is answered after all (${status})`);
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await settleCaptures(platform, context);
    await settleDeliveries(platform, context);

    context.expect(
      started.every(({ process: { pid: each } }) => isAlive(each)),
      'the processes that ran before are those that run now',
    );
    const ledger = await checkCaptures(platform, submissions);
    return combine(
      await checkDeliveries(platform, { produced: await addEventsOf(platform, submissions), duplicates: 0 }),
      ledger,
    );
  },
};
