import type { ContractForm } from '@capture/contract/forms/forms';
import { fairRules } from '@capture/database/captures/schedule-captures';
import type { Database } from '@capture/database/database';
import { jobs } from '@capture/queue/catalog';
import { enqueueScheduledCaptures } from '@capture/queue/enqueue-captures';
import type { JobQueue } from '@capture/queue/job-queue';
import { sendSignal } from '@capture/queue/signals';
import { coalesce } from '@capture/runtime/coalesce';
import type { Logger } from '@capture/runtime/service/log';
import { inSpan } from '@capture/runtime/tracing/trace';
import type { Redis } from 'ioredis';
import type { Admitted } from './admit.ts';

/** Span attributes by OpenTelemetry's conventions. */
const sendAttributes = {
  'messaging.system': 'bullmq',
  'messaging.destination.name': jobs.capture.queue,
  'messaging.operation.name': 'send',
  'messaging.operation.type': 'send',
};

/** Enqueues admitted work. */
export type Enqueue = (admitted: Admitted) => void;

/**
 * Creates the function that moves admitted work into the queue by fair scheduling; concurrent requests share rounds. No
 * request waits for it, and nothing is lost when it fails: the work is recorded, and the workers run the same rounds.
 */
export function createEnqueue(dependencies: {
  database: Pick<Database, 'pool'>;
  redis: Redis;
  form: ContractForm;
  captureQueue: JobQueue<'capture'>;
  log: Logger;
}): Enqueue {
  const { database, redis, form, captureQueue, log } = dependencies;
  const rules = fairRules();
  const schedule = coalesce(() => enqueueScheduledCaptures(database.pool, form, captureQueue, rules));
  return ({ ended, deliveries }) => {
    if (deliveries > 0) void sendSignal(redis, 'deliveriesDue');
    if (ended) return;
    inSpan('send captures', { kind: 'producer', attributes: sendAttributes }, schedule).catch((error) =>
      log.warn({ err: error }, 'could not enqueue captures; the workers will do it'),
    );
  };
}
