import { z } from 'zod';

/**
 * Every kind of job: its queue, what it carries (ids only: what is to be done stands in Postgres) and its job id. The
 * id names one attempt, since BullMQ silently ignores an id that it still knows; no colon may be in it.
 */
export const jobs = {
  /** Render one capture. */
  capture: {
    queue: 'captures',
    schema: z.object({ captureId: z.string(), attempt: z.int() }),
    id: (job: { captureId: string; attempt: number }) => `${job.captureId}-${job.attempt}`,
  },
  /** Send one claimed attempt of a webhook delivery. */
  delivery: {
    queue: 'deliveries',
    schema: z.object({ deliveryId: z.string(), attempt: z.int() }),
    id: (job: { deliveryId: string; attempt: number }) => `${job.deliveryId}-${job.attempt}`,
  },
} as const;

export type JobName = keyof typeof jobs;
export type JobData<Name extends JobName> = z.output<(typeof jobs)[Name]['schema']>;
