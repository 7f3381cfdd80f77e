import { captureCompleted } from '@capture/contract/events/events';
import type { ContractForm } from '@capture/contract/forms/forms';
import { createAccount } from '@capture/database/accounts/accounts';
import { signingSecretOf } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import { type ClaimedDelivery, claimDeliveries } from '@capture/database/deliveries/claim-deliveries';
import { sendDispatcherHeartbeat } from '@capture/database/deliveries/dispatcher-heartbeat';
import { insertEvent, receiversOfEvent } from '@capture/database/deliveries/insert-event';
import { makeReceiversDue } from '@capture/database/deliveries/receivers';
import { createEncryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import { openDatabase } from '@capture/database/open-database';
import { parseAddressRules } from '@capture/egress/address-rules';
import { createHttpsSender, type HttpsSender } from '@capture/egress/https-sender';
import { Registry } from '@capture/runtime/metrics/metrics';
import { createLogger } from '@capture/runtime/service/log';
import { createTestDatabase } from '@capture/testing/database';
import { type HttpsReceiver, openHttpsReceiver } from '@capture/testing/network/https-receiver';
import { createAttempts } from './attempts.ts';
import type { DeliverDependencies } from './deliver.ts';
import { createDeliveryMetrics, type DeliveryMetrics } from './delivery-metrics.ts';

export const secretKey = '0123456789abcdef0123456789abcdef';
export const encryptor = createEncryptor(secretKey);

/** The functions that run after each test, in reverse order. */
export const closings: (() => unknown)[] = [];

export async function closeAll(): Promise<void> {
  for (let close = closings.pop(); close; close = closings.pop()) await close();
}

export function closeLater<Resource extends { close(): unknown }>(resource: Resource): Resource {
  closings.push(() => resource.close());
  return resource;
}

export async function openTestReceiver(...options: Parameters<typeof openHttpsReceiver>): Promise<HttpsReceiver> {
  return closeLater(await openHttpsReceiver(...options));
}

export async function openTestDatabase(): Promise<Database & { url: string }> {
  const test = await createTestDatabase();
  closings.push(() => test.drop());
  const database = closeLater(openDatabase({ url: test.url }));
  return { ...database, url: test.url };
}

/** Returns a logger that keeps its lines for the test. */
export function readableLog() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { log: createLogger('webhook-dispatcher', { destination }), lines };
}

export async function newAccount(database: Database, secret: string): Promise<string> {
  const id = newId('acc');
  const signingSecret = encryptor.encrypt(secret, signingSecretOf(id));
  await createAccount(database, { id, email: `${id}@example.com`, signingSecret, createdAt: new Date() });
  return id;
}

interface RecordedEvent {
  deliveryId: string;
  eventId: string;
  captureId: string;
  body: Buffer;
}

/** Records a `capture.completed` and its delivery to `webhookUrl`, as the end of a capture does. */
export async function recordEvent(
  { pool }: Database,
  form: ContractForm,
  { accountId, webhookUrl }: { accountId: string; webhookUrl: string | null },
  at = new Date(),
): Promise<RecordedEvent> {
  const captureId = newId('req');
  const event = captureCompleted(
    form,
    {
      request_id: captureId,
      url: 'https://example.com/ä',
      type: 'screenshot',
      format: 'png',
      width: 1_280,
      height: 720,
      file_size: 34_567,
      duration_ms: 812,
      file_url: 'https://captures.example.com/f/x.png',
      expires_at: at.toISOString(),
    },
    at,
  );
  const receivers = await receiversOfEvent(pool, form, { accountId, webhookUrl }, event.name);
  await makeReceiversDue(pool, await insertEvent(pool, accountId, receivers, event, { captureId, at }), at);
  const { rows } = await pool.query(
    `SELECT e.id AS "eventId", d.id AS "deliveryId" FROM event e JOIN delivery d ON d.event_id = e.id
      WHERE e.capture_id = $1`,
    [captureId],
  );
  return { ...rows[0], captureId, body: event.body };
}

export const dispatcherId = 'dispatcher-1';

/** Sends the heartbeat of a dispatcher, which counts as alive for a few seconds. */
export const beAlive = ({ pool }: Database, slots = 100) => sendDispatcherHeartbeat(pool, { id: dispatcherId, slots });

export async function readDelivery({ pool }: Database, id: string) {
  const { rows } = await pool.query('SELECT * FROM delivery WHERE id = $1', [id]);
  return rows[0];
}

export async function readAttempts({ pool }: Database, id: string) {
  const { rows } = await pool.query('SELECT * FROM delivery_attempt WHERE delivery_id = $1 ORDER BY number', [id]);
  return rows;
}

/** Claims all due deliveries. */
export async function claimAll(database: Database, form: ContractForm, at = new Date()): Promise<ClaimedDelivery[]> {
  await beAlive(database);
  return (await claimDeliveries(database.pool, form, at)).claims;
}

/** Opens a sender that may reach these addresses. */
export const openSender = (allow: string, options?: Parameters<typeof createHttpsSender>[1]): HttpsSender =>
  closeLater(createHttpsSender(parseAddressRules({ allow }), options));

/** Returns the dependencies of `deliver`, the lines that it logs, and attempts with another clock, dispatcher or database. */
export function deliverDependencies(
  form: ContractForm,
  database: Database,
  sender: HttpsSender,
  metrics: DeliveryMetrics = countDeliveries(),
) {
  const { log, lines } = readableLog();
  const now = () => new Date();
  const attemptsAt = (now: () => Date, id = dispatcherId, on: Pick<Database, 'pool'> = database) =>
    createAttempts({ form, database: on, dispatcherId: id, log, now });
  const attempts = attemptsAt(now);
  const dependencies: DeliverDependencies = {
    form,
    database,
    encryptor,
    sender,
    log,
    metrics,
    attempts,
    now,
  };
  return { dependencies, lines, attemptsAt };
}

export const countDeliveries = (registry = new Registry()) =>
  createDeliveryMetrics(registry, { slots: 256, inFlight: () => 0 });
