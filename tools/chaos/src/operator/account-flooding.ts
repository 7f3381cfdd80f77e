import { send } from '../harness/client.ts';
import { operatorCase } from './operator-case.ts';

/** Over the alert's 500, within one batch. */
const items = 600;

export const operatorAccountFlooding = operatorCase({
  name: 'account-flooding',
  fault: 'One account fills the queue, and asks for more than its rate.',
  alert: 'CaptureAccountFlooding',
  metric: 'capture_queue_largest_account',
  leads: ['RATE_LIMITED', 'accounts suspend', 'dashboard'],
  async stage(desk) {
    const { gateway, client, platform } = desk;
    const another = await platform.newClient('pro');
    const url = platform.pages.url('/page');
    const ask = (who: typeof client) =>
      send(gateway, who, '/api/v1/screenshot', { method: 'POST', body: { url, async: true } });
    // Nobody draws them here: they stay where they are.
    await send(gateway, client, '/api/v1/batches', {
      method: 'POST',
      body: { items: Array.from({ length: items }, () => ({ url })) },
    });
    await ask(another);
    await Promise.all(Array.from({ length: 60 }, () => ask(client)));

    await desk.sees('an account that has almost all of the queue', async () => {
      const [largest, waiting] = [
        await gateway.metric('capture_queue_largest_account'),
        await gateway.metric('capture_queue_waiting', { queue: 'captures' }),
      ];
      return largest !== undefined && waiting !== undefined && waiting > 500 && largest > 0.9 * waiting;
    });
    await desk.sees('that there are others', async () => (await gateway.metric('capture_queue_accounts')) === 2);
    await desk.sees('requests that were refused for their rate, by the plan', async () => {
      return ((await gateway.metric('capture_throttled_total', { reason: 'rate', plan: 'enterprise' })) ?? 0) > 0;
    });
    await desk.sees('who it is, the busiest first', async () => {
      const { accounts } = await desk.operator('/activity');
      return accounts[0]?.id === client.accountId && accounts[0].open >= items && accounts[0].email.includes('@');
    });
    await desk.sees("who it is in the gateway's log", () => {
      const lines = gateway.process.output().split('\n');
      return lines.some(
        (line) => line.includes('"error_code":"RATE_LIMITED"') && line.includes(`"account_id":"${client.accountId}"`),
      );
    });
  },
});
