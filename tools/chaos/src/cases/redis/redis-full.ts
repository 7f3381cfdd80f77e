import { requeueCaptures } from '@capture/database/captures/recover-captures';
import type { ChaosCase } from '../../case.ts';
import { shortRetryDelaysMs } from '../../harness/platform.ts';
import { onRedis } from '../../harness/servers.ts';

/** Less memory than an empty Redis holds. With `noeviction` Redis refuses every write. */
const noRoom = '100kb';

export const redisFull: ChaosCase = {
  name: 'redis-full',
  promise:
    'Redis is at its `maxmemory` and refuses every write: captures and events are still accepted, and once it has space again all of them complete and are delivered without a restart.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: shortRetryDelaysMs });
    const { pages, receiver, servers } = platform;
    const started = await platform.startAll();
    const [gateway] = started;
    const client = await platform.newClient('enterprise');
    const options = { url: pages.url('/page'), webhook_url: receiver.url() };
    const ask = async (count: number) => {
      const responses = [];
      for (let index = 0; index < count; index += 1) responses.push(await platform.submit(gateway, client, options));
      return responses;
    };
    const setRoom = (bytes: string) => onRedis(servers.redis.url, (redis) => redis.config('SET', 'maxmemory', bytes));
    const destination = { accountId: await platform.newAccount(), webhookUrl: receiver.url() };
    const events = context.scaled(1_000);

    await ask(1);
    await setRoom(noRoom);
    try {
      const responses = await ask(context.scaled(20, 3));
      const statuses = responses.map(({ status }) => status);
      context.expectEach(statuses, (status) => status === 202, 'captures are accepted');
      context.note(
        `${responses.length} were accepted within ${Math.max(...responses.map(({ tookMs }) => tookMs))} ms each`,
      );
      await platform.produceMany(destination, events);
      const { delivered } = await receiver.count();
      context.note(`${events} events were recorded meanwhile, ${delivered} of them delivered`);
    } finally {
      await setRoom('0');
    }
    // Captures that could not be queued are scheduled again after 15 s. A hurried run schedules them at once.
    if (context.hurried) await requeueCaptures(platform.database.pool);
    const ledger = await platform.finish();
    context.expectRunning(started);
    return ledger;
  },
};
