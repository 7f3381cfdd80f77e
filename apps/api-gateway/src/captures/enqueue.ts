import type { ContractForm } from '@capture/contract/forms/forms';
import type { Database } from '@capture/database/database';
import { jobs } from '@capture/queue/catalog';
import { enqueueScheduledCaptures } from '@capture/queue/enqueue-captures';
import type { JobQueue } from '@capture/queue/job-queue';
import { sendSignal } from '@capture/queue/signals';
import { coalesce } from '@capture/runtime/coalesce';
import type { Logger } from '@capture/runtime/log';
import { inSpan } from '@capture/runtime/tracing/trace';
import type { Redis } from 'ioredis';
import type { Admitted } from './admit.ts';

/** As OpenTelemetry's conventions name it. */
const sending = {
  'messaging.system': 'bullmq',
  'messaging.destination.name': jobs.capture.queue,
  'messaging.operation.name': 'send',
  'messaging.operation.type': 'send',
};

/** Sends what was admitted on its way. */
export type Enqueue = (admitted: Admitted) => void;

/**
 * Makes what puts admitted work into the queue, in fair turns; a thousand requests at once share a few rounds. Nobody
 * waits for it and nothing is lost when it fails: the work is recorded, and the workers see to it as well.
 */
export function createEnqueue(dependencies: {
  database: Pick<Database, 'pool'>;
  redis: Redis;
  form: ContractForm;
  captureQueue: JobQueue<'capture'>;
  log: Logger;
}): Enqueue {
  const { database, redis, form, captureQueue, log } = dependencies;
  const feed = coalesce(() => enqueueScheduledCaptures(database.pool, form, captureQueue));
  return ({ ended, deliveries }) => {
    if (deliveries > 0) void sendSignal(redis, 'deliveriesDue');
    if (ended) return;
    inSpan('send captures', { kind: 'producer', attributes: sending }, feed).catch((error) =>
      log.warn({ err: error }, 'nothing could be enqueued now; the workers see to it'),
    );
  };
}
