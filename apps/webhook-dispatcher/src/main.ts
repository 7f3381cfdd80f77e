import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { contractForm } from '@capture/contract/forms/forms';
import { openDatabase } from '@capture/database/database';
import type { ClaimedDelivery } from '@capture/database/deliveries/claim-deliveries';
import { deleteDispatcher, sendDispatcherHeartbeat } from '@capture/database/deliveries/dispatcher-heartbeat';
import { createEncryptor } from '@capture/database/encryption';
import { parseAddressRules } from '@capture/egress/address-rules';
import { createHttpsSender } from '@capture/egress/https-sender';
import { ownEndpoints } from '@capture/egress/own-endpoints';
import { connectBlockingRedis, connectRedis } from '@capture/queue/connect-redis';
import { openJobQueue } from '@capture/queue/job-queue';
import { startJobWorker } from '@capture/queue/job-worker';
import { startReporting } from '@capture/queue/process-reports';
import { onSignal } from '@capture/queue/signals';
import { readConfig } from '@capture/runtime/config';
import { every } from '@capture/runtime/every';
import { watchDatabase } from '@capture/runtime/metrics/database-metrics';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { watchRedis } from '@capture/runtime/metrics/redis-metrics';
import { listenerSettings, openProcessListener } from '@capture/runtime/process-listener';
import { runService } from '@capture/runtime/service';
import { settings } from '@capture/runtime/settings';
import { createAttempts } from './attempts.ts';
import { claimDue } from './claim.ts';
import { startClaiming } from './claim-loop.ts';
import { startDeliveryCleanup } from './clean-up-deliveries.ts';
import { deliver } from './deliver.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';

/**
 * Deliveries under way at once: they wait for receivers, not for this machine. One takes about 100 kB while it waits (its
 * connection, TLS, the body), so that these are some 25 MB.
 */
const places = 256;

const heartbeatEveryMs = 1_000;

/** The clock of the schedule. */
const now = () => new Date();

runService({
  name: 'webhook-dispatcher',
  async start({ log, lifecycle }) {
    const config = readConfig(
      {
        CONTRACT_FORM: settings.CONTRACT_FORM,
        DATABASE_URL: settings.DATABASE_URL,
        REDIS_URL: settings.REDIS_URL,
        SECRET_KEY: settings.SECRET_KEY,
        SECRET_KEY_PREVIOUS: settings.SECRET_KEY_PREVIOUS,
        PORT: settings.PORT,
        EGRESS_ALLOW: settings.EGRESS_ALLOW,
        EGRESS_DENY: settings.EGRESS_DENY,
        WEBHOOK_RETRY_DELAYS: settings.WEBHOOK_RETRY_DELAYS,
        WEBHOOK_TIMEOUT_MS: settings.WEBHOOK_TIMEOUT_MS,
        ...listenerSettings,
      },
      process.env,
    );
    const form = contractForm(config.CONTRACT_FORM, {
      ...(config.WEBHOOK_RETRY_DELAYS && { retryDelaysMs: config.WEBHOOK_RETRY_DELAYS }),
      ...(config.WEBHOOK_TIMEOUT_MS !== undefined && { timeoutMs: config.WEBHOOK_TIMEOUT_MS }),
    });

    const registry = createMetrics('webhook-dispatcher');
    const needs = { database: () => database.pool.query('SELECT 1').then(() => true) };
    const listener = await openProcessListener(config, { metrics: registry, needs, lifecycle, log });

    const database = openDatabase({
      url: config.DATABASE_URL,
      onIdleError: (error) => log.warn({ err: error }, 'a connection to Postgres broke'),
    });
    lifecycle.closing('database', () => database.close());
    const redis = connectRedis({
      url: config.REDIS_URL,
      onState: (state, error) => log[state === 'lost' ? 'warn' : 'info']({ err: error }, `redis: ${state}`),
    });
    lifecycle.closing('redis', () => redis.disconnect());
    watchDatabase(registry, database.pool);
    watchRedis(registry, redis);
    const blocking = connectBlockingRedis({ url: config.REDIS_URL });
    lifecycle.closing('blocking redis', () => blocking.disconnect());
    const signals = connectBlockingRedis({ url: config.REDIS_URL });
    lifecycle.closing('signals', () => signals.disconnect());
    const deliveryQueue = openJobQueue(redis, 'delivery');
    lifecycle.closing('delivery queue', () => deliveryQueue.close());

    const own = await ownEndpoints({ port: config.PORT, urls: [config.DATABASE_URL, config.REDIS_URL] });
    if (listener) own.push({ port: listener.port });
    const sender = createHttpsSender(parseAddressRules({ allow: config.EGRESS_ALLOW, deny: config.EGRESS_DENY, own }));
    // Not waited for: the worker has drained by then, and what a receiver still holds up is given up with its claim.
    lifecycle.closing('sender', () => void sender.close());

    const dispatcherId = `${hostname()}-${randomUUID()}`;
    const sendHeartbeat = () => sendDispatcherHeartbeat(database.pool, { id: dispatcherId, places });
    const stopHeartbeat = every(heartbeatEveryMs, 'the heartbeat', log, sendHeartbeat);
    lifecycle.closing('heartbeat', async () => {
      await stopHeartbeat();
      await deleteDispatcher(database.pool, dispatcherId);
    });

    let inFlight = 0;
    const metrics = createDeliveryMetrics(registry, { places, inFlight: () => inFlight });
    const claiming = startClaiming(() => claimDue({ form, database, deliveryQueue, metrics, log, now }), log, now);
    const encryptor = createEncryptor(config.SECRET_KEY, config.SECRET_KEY_PREVIOUS);
    const attempts = createAttempts({ form, database, dispatcherId, log, now });
    /** Never throws: what goes wrong with one delivery is nothing to the others of its job. */
    async function handle(claim: ClaimedDelivery): Promise<void> {
      inFlight += 1;
      try {
        const recorded = await deliver({ form, database, encryptor, sender, log, metrics, attempts, now }, claim);
        if (recorded?.receiverDue) claiming.wake();
        else claiming.placeFree();
      } catch (error) {
        log.error({ err: error, delivery_id: claim.id }, 'a delivery attempt failed here');
      } finally {
        inFlight -= 1;
      }
    }
    const worker = startJobWorker('delivery', {
      redis: blocking,
      concurrency: places,
      async handle({ claims }) {
        await Promise.all(claims.map(({ deliveryId, attempt }) => handle({ id: deliveryId, attempt })));
      },
      onError: (error) => log.error({ err: error }, 'a job of deliveries failed here'),
    });
    lifecycle.closing('worker', () => worker.close());
    lifecycle.closing('claiming', () => claiming.stop());
    lifecycle.closing(
      'sweeps',
      startDeliveryCleanup({ database, log, now }, () => claiming.wake()),
    );
    const detail = () => ({ places, in_flight: inFlight });
    lifecycle.closing(
      'process report',
      startReporting({ redis, kind: 'webhook-dispatcher', id: dispatcherId, detail }),
    );
    onSignal(signals, 'deliveriesDue', () => claiming.wake());
    // Without a sign of life nothing is claimed for it; where Postgres is not there yet, the next one brings the first claim.
    await sendHeartbeat().catch((error) => log.warn({ err: error }, 'Postgres does not answer yet'));
    claiming.wake();
    listener?.ready();
  },
});
