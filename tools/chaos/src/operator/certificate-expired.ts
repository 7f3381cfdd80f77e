import { nothingProduced, produceOne } from '../harness/produce-events.ts';
import { operatorCase } from './operator-case.ts';

export const operatorCertificateExpired = operatorCase({
  name: 'certificate-expired',
  fault: "A receiver's certificate has expired.",
  alert: 'CaptureReceiverCertificate',
  metric: 'capture_delivery_attempts_total',
  leads: ['"error":"tls"', 'openssl s_client'],
  // The first three of a schedule at once, as the alert wants three; the others are to come.
  platform: { retryDelaysMs: [10, 10, 600_000, 600_000, 600_000] },
  async stage(desk) {
    const { platform, client } = desk;
    const [port] = await platform.receiver.listen(1, 'expired');
    const host = `127.0.0.1:${port}`;
    const dispatcher = await desk.startDispatcher();
    const destination = { accountId: client.accountId, webhookUrl: `https://${host}/hook` };
    await produceOne(platform, destination, nothingProduced());
    await desk.sees('attempts that fail for their certificate', async () => {
      const failed = { outcome: 'failure', error: 'tls' };
      return ((await dispatcher.metric('capture_delivery_attempts_total', failed)) ?? 0) > 2;
    });
    await desk.sees("the host in the dispatcher's log", () => {
      const lines = dispatcher.process.output().split('\n');
      return lines.some((line) => line.includes('"error":"tls"') && line.includes(`"receiver":"${host}"`));
    });
    await desk.sees('the host among the receivers that fail', async () => {
      const { receivers } = await desk.operator('/activity');
      return receivers.some(
        (receiver: { host: string; last_error: string }) => receiver.host === host && receiver.last_error === 'tls',
      );
    });
    await desk.sees('the delivery that is tried again', async () => {
      const { deliveries } = await desk.operator('/deliveries?status=pending');
      return deliveries.some(
        (row: { url: string; last_error: string }) => row.url.includes(host) && row.last_error === 'tls',
      );
    });
  },
});
