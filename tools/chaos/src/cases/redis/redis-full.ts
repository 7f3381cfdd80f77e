import { requeueCaptures } from '@capture/database/captures/recover-captures';
import { type ChaosCase, together } from '../../case.ts';
import { balanceCaptures } from '../../harness/check-captures.ts';
import { askCapture, nothingAsked } from '../../harness/client.ts';
import { balance } from '../../harness/check-deliveries.ts';
import { isAlive } from '../../harness/process-list.ts';
import { nothingProduced, produceMany } from '../../harness/produce-events.ts';
import { addProducedBy } from '../../harness/produced-by-captures.ts';
import { onRedis } from '../../harness/servers.ts';
import { settle } from '../../harness/settle.ts';
import { settleCaptures } from '../../harness/settle-captures.ts';

/** Less than an empty Redis holds: with `noeviction` it refuses whatever would write. */
const noRoom = '100kb';

export const redisFull: ChaosCase = {
  name: 'redis-full',
  promise:
    'Redis is at its `maxmemory` and refuses every write: captures and events are accepted all the same, and when it has room again all of them are made and delivered without a restart.',
  async run(context) {
    const platform = await context.open({ retryDelaysMs: [500, 1_000, 2_000, 4_000, 8_000] });
    const { pages, receiver, servers } = platform;
    pages.serve({ '/page': '<!doctype html><p>an ordinary page' });
    const started = await Promise.all([platform.startGateway(), platform.startWorker(), platform.startDispatcher()]);
    const [gateway] = started;
    const client = await platform.newClient('enterprise');
    const asked = nothingAsked();
    const options = { url: pages.url('/page'), webhook_url: receiver.url() };
    const ask = async (count: number) => {
      const answers = [];
      for (let index = 0; index < count; index += 1) answers.push(await askCapture(gateway, client, asked, options));
      return answers;
    };
    const setRoom = (bytes: string) => onRedis(servers.redis.url, (redis) => redis.config('SET', 'maxmemory', bytes));
    const produced = nothingProduced();
    const destination = { accountId: await platform.newAccount(), webhookUrl: receiver.url() };
    const events = context.scaled(1_000);

    await ask(1);
    await setRoom(noRoom);
    try {
      const answers = await ask(context.scaled(20, 3));
      context.expect(
        answers.every(({ status }) => status === 202),
        `captures are accepted (${answers.map(({ status }) => status).join(', ')})`,
      );
      context.note(
        `${answers.length} were accepted within ${Math.max(...answers.map(({ tookMs }) => tookMs))} ms each`,
      );
      await produceMany(platform, destination, produced, events);
      const { delivered } = await receiver.count();
      context.note(`${events} events were recorded meanwhile, ${delivered} of them delivered`);
    } finally {
      await setRoom('0');
    }
    // What could not be put into the queue waits for its turn again after 15 s, here at once.
    if (context.hurried) await requeueCaptures(platform.database.pool);
    await settleCaptures(platform, context);
    await addProducedBy(platform, asked, produced);
    await settle(platform, context);

    context.expect(
      started.every(({ process: { pid } }) => isAlive(pid)),
      'the processes that ran before are those that run now',
    );
    const ledger = await balanceCaptures(platform, asked);
    return together(await balance(platform, { produced, duplicates: 0 }), ledger);
  },
};
