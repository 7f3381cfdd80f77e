import { createHmac } from 'node:crypto';
import type { FormName } from '@capture/contract/forms/forms';
import { insertEvent, receiversOfEvent } from '@capture/database/deliveries/insert-event';
import { newId } from '@capture/database/ids';
import { type HttpsReceiver, openHttpsReceiver } from '@capture/testing/network/https-receiver';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../test-gateway.ts';

/** Starts a receiver on this machine, and a gateway that may send to it. */
export async function startWebhookGateway(
  form: FormName = 'B',
  options: TestGatewayOptions = {},
): Promise<{ gateway: TestGateway; receiver: HttpsReceiver; close(): Promise<void> }> {
  const receiver = await openHttpsReceiver();
  const gateway = await startTestGateway(form, {
    trustedAuthority: receiver.authority.cert,
    ...options,
    settings: { EGRESS_ALLOW: '127.0.0.1/32', ...options.settings },
  });
  return {
    gateway,
    receiver,
    async close() {
      await gateway.close();
      await receiver.close();
    },
  };
}

type Method = 'get' | 'post' | 'patch' | 'delete';

/** Registers an account and returns its client for the routes under `/api/v1/webhooks`. */
export async function newClient(gateway: TestGateway, email: string) {
  const key = await gateway.register(email);
  const { id } = await gateway.database.prisma.account.findUniqueOrThrow({ where: { email } });
  const call = (method: Method, path = '') => gateway.as(key)[method](`/api/v1/webhooks${path}`);
  return {
    id,
    key,
    call,
    async register(url: string, events = ['capture.completed', 'capture.failed']): Promise<string> {
      return (await call('post').send({ url, events }).expect(201)).body.id;
    },
    async signingSecret(): Promise<string> {
      return (await gateway.as(key).get('/api/v1/account/signing-secret')).body.secret;
    },
  };
}

export type Client = Awaited<ReturnType<typeof newClient>>;

export const callOperator = (gateway: TestGateway, method: Method, path: string) =>
  gateway.asOperator[method](`/api/operator${path}`);

/** Records an event of the account for its endpoints and, if given, a request's `webhook_url`. */
export async function recordEvent(
  gateway: TestGateway,
  accountId: string,
  { webhookUrl = null, at = new Date() }: { webhookUrl?: string | null; at?: Date } = {},
): Promise<void> {
  const { pool } = gateway.database;
  const event = { name: 'capture.completed', body: Buffer.from('{"event":"capture.completed","data":{}}') } as const;
  const receivers = await receiversOfEvent(pool, gateway.form, { accountId, webhookUrl }, event.name);
  await insertEvent(pool, accountId, receivers, event, { at, captureId: newId('req') });
}

/** Ends all open deliveries, as the dispatcher does after the last attempt. */
export async function endDeliveries(gateway: TestGateway, status: 'failed' | 'delivered'): Promise<void> {
  await gateway.database.pool.query(
    `UPDATE delivery SET status = $1, completed_at = now(), next_attempt_at = NULL, lease_until = NULL, attempt_count = 6,
                         retries_used = 5, last_status = 503, last_error = 'http_5xx'
      WHERE status IN ('pending', 'paused')`,
    [status],
  );
}

export const hexSignature = (secret: string, body: Buffer) =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex');
