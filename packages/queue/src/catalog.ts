import { z } from 'zod';

const claimedAttempt = z.object({ deliveryId: z.string(), attempt: z.int() });

type ClaimedAttempt = z.output<typeof claimedAttempt>;

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
  /**
   * Send the claimed attempts of some webhook deliveries, all at the same time. Some to a job, as the way there and back
   * through Redis costs more than a claim.
   */
  delivery: {
    queue: 'deliveries',
    schema: z.object({ claims: z.tuple([claimedAttempt], claimedAttempt) }),
    // A claim is in one job only: the first one's name is the job's.
    id: ({ claims: [first] }: { claims: [ClaimedAttempt, ...ClaimedAttempt[]] }) =>
      `${first.deliveryId}-${first.attempt}`,
  },
} as const;

export type JobName = keyof typeof jobs;
export type JobData<Name extends JobName> = z.output<(typeof jobs)[Name]['schema']>;
