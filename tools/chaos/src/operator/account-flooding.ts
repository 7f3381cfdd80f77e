import { send } from '../harness/client.ts';
import { operatorCase } from './operator-case.ts';

/** The number of items in a batch, over the alert's 500. */
const items = 600;

export const operatorAccountFlooding = operatorCase({
  name: 'account-flooding',
  fault: 'One account fills the queue and exceeds its rate limit.',
  alert: 'CaptureAccountFlooding',
  metric: 'capture_queue_largest_account',
  platform: { without: ['capture-worker'] },
  leads: ['RATE_LIMITED', 'accounts suspend', 'operator console'],
  async stage(operator) {
    const { gateway, client, platform } = operator;
    const another = await platform.newClient('pro');
    const url = platform.pages.url('/page');
    const ask = (who: typeof client) =>
      send(gateway, who, '/api/v1/screenshot', { method: 'POST', body: { url, async: true } });
    // No worker runs here, so the items stay queued.
    await send(gateway, client, '/api/v1/batches', {
      method: 'POST',
      body: { items: Array.from({ length: items }, () => ({ url })) },
    });
    await ask(another);
    await Promise.all(Array.from({ length: 60 }, () => ask(client)));

    await operator.sees('an account that has almost the whole queue', async () => {
      const [largest, waiting] = [
        await gateway.metric('capture_queue_largest_account'),
        await gateway.metric('capture_queue_waiting', { queue: 'captures' }),
      ];
      return largest !== undefined && waiting !== undefined && waiting > 500 && largest > 0.9 * waiting;
    });
    await operator.sees('the other account', async () => (await gateway.metric('capture_queue_accounts')) === 2);
    await operator.seesOver('rate-limited requests by plan', 0, () =>
      gateway.metric('capture_throttled_total', { reason: 'rate', plan: 'enterprise' }),
    );
    await operator.sees('the account, first of the busiest', async () => {
      const { accounts } = await operator.get('/activity');
      return accounts[0]?.id === client.accountId && accounts[0].open >= items && accounts[0].email.includes('@');
    });
    await operator.seesLine(
      "the account in the gateway's log",
      gateway,
      '"error_code":"RATE_LIMITED"',
      `"account_id":"${client.accountId}"`,
    );
  },
});
