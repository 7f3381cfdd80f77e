import { z } from 'zod';

const claimedAttempt = z.object({ deliveryId: z.string(), attempt: z.int() });

type ClaimedAttempt = z.output<typeof claimedAttempt>;

/**
 * Every kind of job: its queue, its data (only ids: Postgres has the work) and its job id. BullMQ silently ignores an id that it
 * still knows, so the id names one attempt. It must not contain a colon.
 */
export const jobs = {
  capture: {
    queue: 'captures',
    schema: z.object({ captureId: z.string(), attempt: z.int() }),
    id: (job: { captureId: string; attempt: number }) => `${job.captureId}-${job.attempt}`,
  },
  /**
   * Sends the claimed attempts of several webhook deliveries at the same time. A job contains several claims because a round trip
   * through Redis costs more than a claim.
   */
  delivery: {
    queue: 'deliveries',
    schema: z.object({ claims: z.tuple([claimedAttempt], claimedAttempt) }),
    // A claim is in one job only, so the first claim names the job.
    id: ({ claims: [first] }: { claims: [ClaimedAttempt, ...ClaimedAttempt[]] }) =>
      `${first.deliveryId}-${first.attempt}`,
  },
} as const;

export type JobName = keyof typeof jobs;
export type JobData<Name extends JobName> = z.output<(typeof jobs)[Name]['schema']>;
