import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { contractForm } from '@capture/contract/forms/forms';
import { databaseClock, databaseNow } from '@capture/database/database-clock';
import type { ClaimedDelivery } from '@capture/database/deliveries/claim-deliveries';
import { deleteDispatcher, sendDispatcherHeartbeat } from '@capture/database/deliveries/dispatcher-heartbeat';
import { createEncryptor } from '@capture/database/encryption';
import { createHttpsSender } from '@capture/egress/https-sender';
import { serviceAddressRules } from '@capture/egress/own-endpoints';
import { startJobWorker } from '@capture/queue/job-worker';
import { startReporting } from '@capture/queue/process-reports';
import { openConnections } from '@capture/queue/service-connections';
import { onSignal } from '@capture/queue/signals';
import { readConfig } from '@capture/runtime/config';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { every } from '@capture/runtime/service/every';
import { openProcessListener } from '@capture/runtime/service/process-listener';
import { runService } from '@capture/runtime/service/service';
import { serviceSettings } from '@capture/runtime/service-settings';
import { createAttempts } from './attempts.ts';
import { claimDue } from './claim.ts';
import { startClaiming } from './claim-loop.ts';
import { startDeliveryCleanup } from './clean-up-deliveries.ts';
import { deliver } from './deliver.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';

/**
 * The most deliveries in progress at once. They wait for receivers, not for this machine, and each takes about 100 kB
 * (connection, TLS, body), so all of them take about 25 MB.
 */
const slots = 256;

const heartbeatEveryMs = 1_000;

runService({
  name: 'webhook-dispatcher',
  async start({ log, lifecycle }) {
    const config = readConfig(serviceSettings['webhook-dispatcher'], process.env);
    const form = contractForm(config.CONTRACT_FORM, {
      ...(config.WEBHOOK_RETRY_DELAYS && { retryDelaysMs: config.WEBHOOK_RETRY_DELAYS }),
      ...(config.WEBHOOK_TIMEOUT_MS !== undefined && { timeoutMs: config.WEBHOOK_TIMEOUT_MS }),
    });

    const registry = createMetrics('webhook-dispatcher');
    const needs = { database: () => database.pool.query('SELECT 1').then(() => true) };
    const listener = await openProcessListener(config, { metrics: registry, needs, lifecycle, log });

    const connections = openConnections(config, { log, lifecycle }, { metrics: registry });
    const { database, redis } = connections;
    await connections.requireForm(config.CONTRACT_FORM);
    const blocking = connections.openBlockingRedis('blocking redis');
    const signals = connections.openBlockingRedis('signals');
    const deliveryQueue = connections.openQueue('delivery');

    const { rules } = await serviceAddressRules(config, listener);
    const sender = createHttpsSender(rules);
    // The close is not awaited: the worker has drained by then, and a request that still hangs is abandoned with its claim.
    lifecycle.closing('sender', () => void sender.close());

    const dispatcherId = `${hostname()}-${randomUUID()}`;
    // Retries are scheduled from the end of an attempt by the database's clock, like their leases.
    const now = databaseNow;
    const sendHeartbeat = () =>
      databaseClock.follow(() => sendDispatcherHeartbeat(database.pool, { id: dispatcherId, slots }));
    const stopHeartbeat = every(heartbeatEveryMs, 'the heartbeat', log, sendHeartbeat);
    lifecycle.closing('heartbeat', async () => {
      await stopHeartbeat();
      await deleteDispatcher(database.pool, dispatcherId);
    });

    let inFlight = 0;
    const metrics = createDeliveryMetrics(registry, { slots, inFlight: () => inFlight });
    const claim = { form, database, deliveryQueue, metrics, log, position: { after: '' } };
    const claiming = startClaiming(() => claimDue(claim), log);
    const encryptor = createEncryptor(config.SECRET_KEY, config.SECRET_KEY_PREVIOUS);
    const attempts = createAttempts({ form, database, dispatcherId, log });
    /** Handles one claim. Never throws, so that a failing delivery does not affect the others of its job. */
    async function handle(claim: ClaimedDelivery): Promise<void> {
      inFlight += 1;
      try {
        const recorded = await deliver({ form, database, encryptor, sender, log, metrics, attempts, now }, claim);
        if (recorded?.receiverDue) claiming.wake();
        else claiming.slotReleased();
      } catch (error) {
        log.error({ err: error, delivery_id: claim.id }, 'a delivery attempt threw an error');
      } finally {
        inFlight -= 1;
      }
    }
    const worker = startJobWorker('delivery', {
      redis: blocking,
      concurrency: slots,
      async handle({ claims }) {
        await Promise.all(claims.map(({ deliveryId, attempt }) => handle({ id: deliveryId, attempt })));
      },
      onError: (error) => log.error({ err: error }, 'a job of deliveries threw an error'),
    });
    lifecycle.closing('worker', () => worker.close());
    lifecycle.closing('claiming', () => claiming.stop());
    lifecycle.closing(
      'cleanup',
      startDeliveryCleanup({ database, log, now, retentionDays: config.DELIVERY_RETENTION_DAYS }, () =>
        claiming.wake(),
      ),
    );
    const detail = () => ({ slots, in_flight: inFlight });
    lifecycle.closing(
      'process report',
      startReporting({ redis, kind: 'webhook-dispatcher', id: dispatcherId, detail }),
    );
    onSignal(signals, 'deliveriesDue', () => claiming.wake());
    // Nothing is claimed before the first heartbeat. If Postgres is unavailable now, a later heartbeat starts the claims.
    await sendHeartbeat().catch((error) => log.warn({ err: error }, 'Postgres is not available yet'));
    claiming.wake();
    listener?.ready();
  },
});
