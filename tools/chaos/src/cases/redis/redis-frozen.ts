import type { ChaosCase } from '../../case.ts';
import { send } from '../../harness/client.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';

/** In the full run, Redis is frozen until a synchronous capture is refused: no worker claims it within 30 s. Milliseconds. */
const longMs = 35_000;

export const redisFrozen: ChaosCase = {
  name: 'redis-frozen',
  promise:
    'Redis accepts connections and does not respond (SIGSTOP): captures are still accepted and looked up, a waiting client is refused in the end and not charged, and when Redis resumes everything completes and is delivered without a restart.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const { pages, receiver, servers } = platform;
    const started = await platform.startAll();
    const [gateway] = started;
    const client = await platform.newClient('enterprise');
    const options = { url: pages.url('/page'), webhook_url: receiver.url() };
    await platform.submit(gateway, client, { ...options, async: false });

    const { pid } = servers.redis;
    process.kill(pid, 'SIGSTOP');
    let waited = 0;
    try {
      // With the waiting capture, this is one capture less than the plan allows: the rate limit holds without Redis, too.
      const count = context.scaled(15, 3);
      const frozenAt = Date.now();
      const waiting = platform.submit(gateway, client, { ...options, async: false });
      // All these requests get a response while Redis is frozen.
      const responses = await Promise.all(
        Array.from({ length: count }, () => platform.submit(gateway, client, options)),
      );
      const statuses = responses.map(({ status }) => status);
      context.expectEach(statuses, (status) => status === 202, 'captures are accepted');
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
    const ledger = await platform.finish();
    context.expectRunning(started);
    return ledger;
  },
};
