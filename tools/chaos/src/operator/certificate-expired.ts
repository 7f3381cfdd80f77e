import { nothingProduced, produceOne } from '../harness/produce-events.ts';
import { operatorCase } from './operator-case.ts';

export const operatorCertificateExpired = operatorCase({
  name: 'certificate-expired',
  fault: "A receiver's certificate has expired.",
  alert: 'CaptureReceiverCertificate',
  metric: 'capture_delivery_attempts_total',
  leads: ['"error":"tls"', 'openssl s_client'],
  // The alert requires three attempts at once, and then none for a while.
  platform: { retryDelaysMs: [10, 10, 600_000, 600_000, 600_000] },
  async stage(operator) {
    const { platform, client } = operator;
    const [port] = await platform.receiver.listen(1, 'expired');
    const host = `127.0.0.1:${port}`;
    const dispatcher = await operator.startDispatcher();
    const destination = { accountId: client.accountId, webhookUrl: `https://${host}/hook` };
    await produceOne(platform, destination, nothingProduced());
    await operator.seesOver('attempts that fail with `tls`', 2, () =>
      dispatcher.metric('capture_delivery_attempts_total', { outcome: 'failure', error: 'tls' }),
    );
    await operator.seesLine("the host in the dispatcher's log", dispatcher, '"error":"tls"', `"receiver":"${host}"`);
    await operator.sees('the host among the failing receivers', async () => {
      const { receivers } = await operator.get('/activity');
      return receivers.some(
        (receiver: { host: string; last_error: string }) => receiver.host === host && receiver.last_error === 'tls',
      );
    });
    await operator.sees('the pending delivery', async () => {
      const { deliveries } = await operator.get('/deliveries?status=pending');
      return deliveries.some(
        (row: { url: string; last_error: string }) => row.url.includes(host) && row.last_error === 'tls',
      );
    });
  },
});
