import { isAlive } from '@capture/testing/process-list';
import { type ChaosCase, combine } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { noSubmissions, send, submitCapture } from '../../harness/client.ts';
import { addEventsOf } from '../../harness/produce-events.ts';
import { settleCaptures, settleDeliveries } from '../../harness/settle.ts';

/** A synchronous capture that no worker claims within 30 s is refused; the full run waits for that. */
const longMs = 35_000;

export const redisFrozen: ChaosCase = {
  name: 'redis-frozen',
  promise:
    'Redis accepts connections and does not respond (SIGSTOP): captures are still accepted and looked up, a waiting client is refused in the end and not charged, and when Redis resumes everything completes and is delivered without a restart.',
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
      // Together with the waiting one fewer than the plan allows at once: the rate limit holds without Redis too.
      const count = context.scaled(15, 3);
      const frozenAt = Date.now();
      const waiting = submitCapture(gateway, client, submissions, { ...options, async: false });
      // All of these get a response while Redis is frozen.
      const responses = await Promise.all(
        Array.from({ length: count }, () => submitCapture(gateway, client, submissions, options)),
      );
      context.expect(
        responses.every(({ status }) => status === 202),
        `captures are accepted (${responses.map(({ status }) => status).join(', ')})`,
      );
      context.note(`${count} were accepted within ${Math.max(...responses.map(({ tookMs }) => tookMs))} ms each`);
      const looked = await send(gateway, client, `/api/v1/captures/${responses[0]?.body?.request_id}`);
      context.expect(looked.body?.status === 'queued', `lookups succeed (${looked.status})`);
      if (!context.hurried) {
        const { status, body } = await waiting;
        context.expect(
          status === 503 && body?.error_code === 'OVERLOADED',
          `the waiting client is refused (${status})`,
        );
        waited = Math.max(0, longMs - (Date.now() - frozenAt));
        await new Promise((resolve) => setTimeout(resolve, waited));
      }
      context.note(`frozen for ${Math.round((Date.now() - frozenAt) / 1_000)} s`);
      process.kill(pid, 'SIGCONT');
      if (context.hurried) {
        const { status } = await waiting;
        // A loaded machine may need longer than the maximum queue time.
        context.expect([200, 503].includes(status), `the waiting client gets a response after all (${status})`);
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await settleCaptures(platform, context);
    await settleDeliveries(platform, context);

    context.expect(
      started.every(({ process: { pid: each } }) => isAlive(each)),
      'no process was restarted',
    );
    const ledger = await checkCaptures(platform, submissions);
    return combine(
      await checkDeliveries(platform, { produced: await addEventsOf(platform, submissions), duplicates: 0 }),
      ledger,
    );
  },
};
