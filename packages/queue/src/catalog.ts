import { z } from 'zod';

const claimedAttempt = z.object({ deliveryId: z.string(), attempt: z.int() });

type ClaimedAttempt = z.output<typeof claimedAttempt>;

/**
 * Every kind of job: its queue, its data (ids only: the work is described in Postgres) and its job id. The id names one
 * attempt, since BullMQ silently ignores an id that it still knows; it must not contain a colon.
 */
export const jobs = {
  /** Render one capture. */
  capture: {
    queue: 'captures',
    schema: z.object({ captureId: z.string(), attempt: z.int() }),
    id: (job: { captureId: string; attempt: number }) => `${job.captureId}-${job.attempt}`,
  },
  /**
   * Send the claimed attempts of some webhook deliveries, all at the same time. Several per job, as a round trip through
   * Redis costs more than a claim.
   */
  delivery: {
    queue: 'deliveries',
    schema: z.object({ claims: z.tuple([claimedAttempt], claimedAttempt) }),
    // A claim is in one job only, so the first one names the job.
    id: ({ claims: [first] }: { claims: [ClaimedAttempt, ...ClaimedAttempt[]] }) =>
      `${first.deliveryId}-${first.attempt}`,
  },
} as const;

export type JobName = keyof typeof jobs;
export type JobData<Name extends JobName> = z.output<(typeof jobs)[Name]['schema']>;
