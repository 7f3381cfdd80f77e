import { z } from 'zod';
import { captureRecord, count, time } from './responses.ts';

/** The responses to the operator about the platform. */

const milliseconds = z.int().min(0);

const reported = {
  id: z.string().meta({ description: 'Of this run of the process; a worker’s and a dispatcher’s are in the log.' }),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  node: z.string().meta({ description: 'The version of Node.', example: 'v20.19.0' }),
  started_at: time,
  seen_at: time.meta({ description: 'Its last report, by its own clock: every 5 s; removed after 15 s.' }),
  memory_bytes: count.meta({ description: 'Resident memory of the process itself.', unit: 'bytes' }),
};

const browserReport = z.strictObject({
  version: z.string().nullable().meta({ example: 'HeadlessChrome/156.0.8078.79' }),
  state: z
    .enum(['starting', 'running', 'failing'])
    .meta({ description: '`failing`: it does not start, and is retried.' }),
  started_at: time.nullable(),
  captures: count.meta({ description: 'Captures by this Chromium.' }),
  restarts: count.meta({ description: 'How often it ended unexpectedly and was restarted.' }),
  memory_bytes: count.nullable().meta({ description: 'Of all its processes; null if unknown.', unit: 'bytes' }),
  last_error: z.string().nullable().meta({ description: 'Why it does not start.' }),
});

const cacheUses = z.strictObject({ hits: count, renders: count }).optional().meta({
  description:
    'Uses of render links and captures with `cache_ttl_s` since the process started: without a render of their own, and with one.',
});

export const runningReplay = z.strictObject({
  account_id: z.string().nullable().meta({ description: 'Null if it is of all accounts.' }),
  webhook_id: z.string().nullable().meta({ description: 'Null if it is of all receivers.' }),
  since: time,
  until: time.nullable(),
  started_at: time,
  replayed: count.meta({ description: 'Deliveries replayed so far.' }),
  reached_at: time.nullable().meta({
    description: 'When the last delivery that it looked at was created. It begins at `since` and ends at `until`.',
  }),
});

/** A process's report about itself. */
export const processReport = z.discriminatedUnion('kind', [
  z.strictObject({
    ...reported,
    kind: z.literal('api-gateway'),
    detail: z.strictObject({
      cache: cacheUses,
      replays: z.array(runningReplay).optional().meta({ description: 'The replays that it works on.' }),
    }),
  }),
  z.strictObject({
    ...reported,
    kind: z.literal('capture-worker'),
    detail: z.strictObject({
      concurrency: count.meta({ description: 'Slots.' }),
      running: count.meta({ description: 'Captures in progress, including those that go on without a slot.' }),
      cache: cacheUses,
      browser: browserReport,
    }),
  }),
  z.strictObject({
    ...reported,
    kind: z.literal('webhook-dispatcher'),
    detail: z.strictObject({
      slots: count.meta({ description: 'Maximum deliveries at once.' }),
      in_flight: count.meta({ description: 'Deliveries in progress.' }),
    }),
  }),
]);

export const deployment = z.strictObject({
  form: z.string().meta({ description: 'The published form of this deployment.', example: 'B' }),
  new_account_plan: z.string().meta({ description: 'The plan of new accounts.', example: 'free' }),
  plans: z.array(
    z.strictObject({
      name: z.string(),
      monthly_limit: count.nullable().meta({ description: 'Captures per month; null is unlimited.' }),
      per_second: count.nullable().meta({ description: 'Requests per second; null is unlimited.' }),
    }),
  ),
});

export const processList = z.strictObject({
  at: time.meta({ description: 'The clock of the responding gateway.' }),
  redis: z.enum(['ok', 'evicting', 'unavailable']).meta({
    description: '`unavailable`: the list is empty. `evicting`: Redis may evict jobs when it is full.',
  }),
  database: z.strictObject({
    response_ms: z.int().nullable().meta({
      description:
        'Time of a trivial statement of this gateway, including the wait for a connection; null above two seconds.',
    }),
    clock_offset_ms: z.int().nullable().meta({ description: 'How far this gateway’s clock is ahead of Postgres’.' }),
    connections: z.int().meta({ description: 'Maximum connections of this gateway.' }),
    connections_in_use: z.int(),
    waiting: z.int().meta({ description: 'Statements waiting for a connection.' }),
  }),
  processes: z.array(processReport).meta({ description: 'By kind, then by start time, oldest first.' }),
});

export const cleanupJobList = z.strictObject({
  cleanup_jobs: z
    .array(
      z.strictObject({
        name: z.string().meta({ example: 'expired files' }),
        owner: z.enum(['api-gateway', 'capture-worker', 'webhook-dispatcher']),
        every_s: count.meta({ description: 'Between two runs.', unit: 'seconds' }),
        last_started_at: time.nullable().meta({ description: 'Null if it has never run.' }),
        last_finished_at: time.nullable().meta({
          description:
            'End of the last finished run, which the following fields describe. Before `last_started_at`: a run is in progress.',
        }),
        last_duration_ms: milliseconds.nullable().meta({ unit: 'milliseconds' }),
        last_count: count
          .nullable()
          .meta({ description: 'Number of items removed, found or fixed; null if it failed.' }),
        last_error: z.string().nullable().meta({ description: 'Why it failed; null if it succeeded.' }),
      }),
    )
    .meta({ description: 'All cleanup jobs, including those that have never run.' }),
  bulk_work: z
    .strictObject({
      changed_endpoints: count.meta({
        description: 'Endpoints that were changed or deleted, and whose open deliveries do not all follow yet.',
      }),
      deliveries_to_change: count.meta({
        description:
          'Their deliveries that are to be held, sent or failed, counted up to 100,000; without those that only get a new URL.',
      }),
      deleted_accounts: count.meta({ description: 'Deleted accounts whose data is not all removed yet.' }),
      captures_to_delete: count.meta({ description: 'Their captures, counted up to 100,000.' }),
      deliveries_to_delete: count.meta({ description: 'Their deliveries, counted up to 100,000.' }),
      replays: z.array(runningReplay).nullable().meta({
        description: 'Replays in progress, as gateways report them every 5 s; null while Redis is unavailable.',
      }),
    })
    .meta({ description: 'Work on many rows that is done in slices, and how much of it is left or done.' }),
});

/** Activity is reported for up to a day, in minutes. */
export const activityMinutesAtMost = 1_440;

export const activityRequest = z.strictObject({
  minutes: z
    .int()
    .min(1)
    .max(activityMinutesAtMost)
    .default(60)
    .meta({ description: 'How many, including the current one.' }),
});

const perMinute = z.strictObject({
  at: time.meta({ description: 'Start of the minute.' }),
  completed: count.meta({ description: 'Captures that completed, without cached ones.' }),
  failed: count,
  cancelled: count,
  p50_ms: milliseconds.nullable().meta({ description: 'Median capture duration.', unit: 'milliseconds' }),
  p95_ms: milliseconds
    .nullable()
    .meta({ description: '95th percentile of the capture duration.', unit: 'milliseconds' }),
  waited_p95_ms: milliseconds.nullable().meta({
    description:
      '95th percentile of the time that single captures waited for a worker; items of a batch wait by design.',
    unit: 'milliseconds',
  }),
  deliveries_succeeded: count
    .nullable()
    .meta({ description: 'Attempts with a 2xx response; null if attempts are not kept.' }),
  deliveries_failed: count.nullable().meta({ description: 'All other attempts.' }),
});

export const activity = z.strictObject({
  minutes: z.array(perMinute).meta({ description: 'Every minute, oldest first; the last is in progress.' }),
  accounts: z
    .array(
      z.strictObject({
        id: z.string(),
        email: z.string(),
        plan: z.string(),
        open: count.meta({ description: 'Its captures that are queued or in progress.' }),
        ended: count.meta({ description: 'Its captures that ended in this period.' }),
        used_today: count.meta({ description: 'Its captures of today (UTC) that completed and count.' }),
      }),
    )
    .meta({ description: 'The ten accounts with the most open or ended captures, busiest first.' }),
  receivers: z
    .array(
      z.strictObject({
        host: z.string().meta({ description: 'With its port, where the URLs name one.', example: 'hooks.example.com' }),
        accounts: count.meta({ description: 'Accounts with deliveries to it.' }),
        pending: count.meta({ description: 'Deliveries to it that failed and will be retried.' }),
        oldest_due_at: time.meta({ description: 'Earliest due time among them.' }),
        last_error: z.string().nullable().meta({ description: 'Most frequent error.', example: 'http_5xx' }),
      }),
    )
    .meta({ description: 'The ten hosts with the most failing deliveries.' }),
});

const partState = z.enum(['ok', 'unavailable']);

/** The body of `/readyz`. */
export const readiness = z.strictObject({
  status: z.enum(['ready', 'not ready']),
  database: partState,
  redis: partState,
  workers: z.int().min(0).nullable().meta({ description: 'Running capture workers; null if unknown.' }),
});

/** A capture of any account. It shows the outcome, but neither the owner's options nor links to files. */
export const operatorCapture = captureRecord
  .pick({
    request_id: true,
    status: true,
    url: true,
    type: true,
    format: true,
    file_size: true,
    duration_ms: true,
    error_code: true,
    error_message: true,
    batch_id: true,
    cached: true,
    created_at: true,
    started_at: true,
    completed_at: true,
    quality: true,
  })
  .extend({ account_id: z.string(), account_email: z.string() });
