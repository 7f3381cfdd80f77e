import { send } from '../harness/client.ts';
import { nothingProduced, produceOne } from '../harness/produce-events.ts';
import { operatorCase } from './operator-case.ts';

const hour = 3_600;

export const operatorReceiverDown = operatorCase({
  name: 'receiver-down',
  fault: 'A registered receiver has returned a 503 to every attempt for a day.',
  alert: 'CaptureReceiverDown',
  metric: 'capture_webhook_endpoint_failing_seconds',
  leads: ['deliveries list --status failed', 'capture_webhook_endpoints_failing', 'replay --since'],
  platform: { retryDelaysMs: [10, 10, 10, 10, 10] },
  async stage(operator) {
    const { gateway, client, platform } = operator;
    const url = platform.receiver.url({ kind: 503, times: 'all' });
    const { host } = new URL(url);
    const registered = { url, events: ['capture.completed'] };
    await send(gateway, client, '/api/v1/webhooks', { method: 'POST', body: registered });
    const dispatcher = await operator.startDispatcher();
    await produceOne(platform, { accountId: client.accountId, webhookUrl: null }, nothingProduced());
    await operator.seesOver('failed attempts', 5, () =>
      dispatcher.metric('capture_delivery_attempts_total', { outcome: 'failure', error: 'http_5xx' }),
    );
    await operator.sees('the failed delivery with its host and status', async () => {
      const { deliveries } = await operator.get('/deliveries?status=failed');
      return deliveries.some(
        (row: { url: string; last_status: number; last_error: string }) =>
          row.url.includes(host) && row.last_status === 503 && row.last_error === 'http_5xx',
      );
    });
    // The update skips a day.
    await platform.database.pool.query(`UPDATE webhook_endpoint SET failing_since = failing_since - interval '1 day'`);
    await operator.seesOver('the time since it failed', 23 * hour, () =>
      gateway.metric('capture_webhook_endpoint_failing_seconds'),
    );
    await operator.sees(
      'the number of failing endpoints',
      async () => (await gateway.metric('capture_webhook_endpoints_failing')) === 1,
    );
    await operator.seesLine(
      "the host in the dispatcher's log",
      dispatcher,
      '"error":"http_5xx"',
      `"receiver":"${host}"`,
    );
  },
});
