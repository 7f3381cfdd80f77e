import { requeueCaptures } from '@capture/database/captures/recover-captures';
import { isAlive } from '@capture/testing/process-list';
import { type ChaosCase, combine } from '../../case.ts';
import { checkCaptures } from '../../harness/check-captures.ts';
import { checkDeliveries } from '../../harness/check-deliveries.ts';
import { noSubmissions, submitCapture } from '../../harness/client.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import { addEventsOf, nothingProduced, produceMany } from '../../harness/produce-events.ts';
import { onRedis } from '../../harness/servers.ts';
import { settleCaptures, settleDeliveries } from '../../harness/settle.ts';

/** Less than an empty Redis holds: with `noeviction` it refuses every write. */
const noRoom = '100kb';

export const redisFull: ChaosCase = {
  name: 'redis-full',
  promise:
    'Redis is at its `maxmemory` and refuses every write: captures and events are still accepted, and once it has space again all of them complete and are delivered without a restart.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const { pages, receiver, servers } = platform;
    pages.serve({ '/page': '<!doctype html><p>an ordinary page' });
    const started = await Promise.all([platform.startGateway(), platform.startWorker(), platform.startDispatcher()]);
    const [gateway] = started;
    const client = await platform.newClient('enterprise');
    const submissions = noSubmissions();
    const options = { url: pages.url('/page'), webhook_url: receiver.url() };
    const ask = async (count: number) => {
      const responses = [];
      for (let index = 0; index < count; index += 1)
        responses.push(await submitCapture(gateway, client, submissions, options));
      return responses;
    };
    const setRoom = (bytes: string) => onRedis(servers.redis.url, (redis) => redis.config('SET', 'maxmemory', bytes));
    const produced = nothingProduced();
    const destination = { accountId: await platform.newAccount(), webhookUrl: receiver.url() };
    const events = context.scaled(1_000);

    await ask(1);
    await setRoom(noRoom);
    try {
      const responses = await ask(context.scaled(20, 3));
      context.expect(
        responses.every(({ status }) => status === 202),
        `captures are accepted (${responses.map(({ status }) => status).join(', ')})`,
      );
      context.note(
        `${responses.length} were accepted within ${Math.max(...responses.map(({ tookMs }) => tookMs))} ms each`,
      );
      await produceMany(platform, destination, produced, events);
      const { delivered } = await receiver.count();
      context.note(`${events} events were recorded meanwhile, ${delivered} of them delivered`);
    } finally {
      await setRoom('0');
    }
    // Captures that could not be queued are scheduled again after 15 s; here at once.
    if (context.hurried) await requeueCaptures(platform.database.pool);
    await settleCaptures(platform, context);
    await addEventsOf(platform, submissions, produced);
    await settleDeliveries(platform, context);

    context.expect(
      started.every(({ process: { pid } }) => isAlive(pid)),
      'no process was restarted',
    );
    const ledger = await checkCaptures(platform, submissions);
    return combine(await checkDeliveries(platform, { produced, duplicates: 0 }), ledger);
  },
};
