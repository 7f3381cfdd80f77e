import { forms } from '@capture/contract/forms/forms';
import { claimDeliveries } from '@capture/database/deliveries/claim-deliveries';
import { Registry } from '@capture/runtime/metrics/metrics';
import { afterEach, describe, expect, it } from '@jest/globals';
import { deliver } from './deliver.ts';
import {
  beAlive,
  claimAll,
  closeAll,
  countDeliveries,
  deliverDependencies,
  newAccount,
  openSender,
  openTestDatabase,
  openTestReceiver,
  recordEvent,
} from './deliveries.test-support.ts';

afterEach(closeAll);

const form = forms.B;

async function open() {
  const database = await openTestDatabase();
  const accountId = await newAccount(database, 'whsec_QUJD');
  const registry = new Registry();
  const metrics = countDeliveries(registry);
  return {
    database,
    registry,
    metrics,
    /** Records an event for a receiver and sends it. @param trusted PEM of the trusted authority. */
    async deliverTo(url: string, allow: string, trusted: string) {
      const { dependencies } = deliverDependencies(form, database, openSender(allow, { ca: trusted }), metrics);
      await recordEvent(database, form, { accountId, webhookUrl: url });
      for (const claim of await claimAll(database, form)) await deliver(dependencies, claim);
    },
    record: (at: Date) => recordEvent(database, form, { accountId, webhookUrl: 'https://hooks.example.com/' }, at),
    async count(series: string): Promise<number> {
      const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(`${series} `));
      return Number(line?.slice(series.length));
    },
  };
}

describe('the metrics of deliveries', () => {
  it('count attempts by outcome, and deliveries by resulting state', async () => {
    const { deliverTo, count, registry } = await open();
    const receiver = await openTestReceiver();
    const expired = await openTestReceiver({ certificate: 'expired' });
    const allow = `127.0.0.1/32:${receiver.port},127.0.0.1/32:${expired.port}`;
    const { cert } = receiver.authority;
    receiver.respondNext({ status: 200 }, { status: 503 });
    await deliverTo(receiver.url, allow, cert);
    await deliverTo(receiver.url, allow, cert);
    await deliverTo(expired.url, allow, expired.authority.cert);
    const attempts = (outcome: string, error: string) =>
      count(`capture_delivery_attempts_total{outcome="${outcome}",error="${error}"}`);
    expect(await attempts('success', '')).toBe(1);
    expect(await attempts('failure', 'http_5xx')).toBe(1);
    expect(await attempts('failure', 'tls')).toBe(1);
    expect(await attempts('failure', 'signing_key_gone')).toBe(0);
    expect(await count('capture_delivery_outcomes_total{state="delivered"}')).toBe(1);
    expect(await count('capture_delivery_outcomes_total{state="pending"}')).toBe(2);
    expect(await count('capture_delivery_attempt_duration_seconds_count{outcome="failure"}')).toBe(2);
    expect(await registry.metrics()).not.toContain('127.0.0.1');
  });

  it('measure how late a delivery is claimed', async () => {
    const { database, metrics, record, count } = await open();
    const due = new Date('2026-11-20T10:00:00Z');
    await record(due);
    await beAlive(database);
    const at = new Date(due.getTime() + 42_000);
    const { dueAt } = await claimDeliveries(database.pool, form, at);
    expect(dueAt).toEqual([due]);
    metrics.claimed(dueAt, at);
    expect(await count('capture_delivery_lateness_seconds_sum')).toBe(42);
  });
});
