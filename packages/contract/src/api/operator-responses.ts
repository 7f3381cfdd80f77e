import { z } from 'zod';
import { count, time } from './responses.ts';

/** What the service answers to the operator about its own parts. */

const milliseconds = z.int().min(0);

const reported = {
  id: z.string().meta({ description: 'Of this run of the process; a worker’s and a dispatcher’s are in the log.' }),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  node: z.string().meta({ description: 'The version of Node.', example: 'v20.19.0' }),
  started_at: time,
  seen_at: time.meta({ description: 'When it last reported itself, every 5 s by its own clock; gone 15 s after.' }),
  memory_bytes: count.meta({ description: 'Resident memory of the process itself.', unit: 'bytes' }),
};

const browserReport = z.strictObject({
  version: z.string().nullable().meta({ example: 'HeadlessChrome/156.0.8078.79' }),
  state: z
    .enum(['starting', 'running', 'failing'])
    .meta({ description: '`failing`: it does not start, and is tried again.' }),
  started_at: time.nullable(),
  captures: count.meta({ description: 'Captures that this Chromium has made.' }),
  restarts: count.meta({ description: 'How often one ended by itself and another was started.' }),
  memory_bytes: count
    .nullable()
    .meta({ description: 'Of all its processes; null where that cannot be told.', unit: 'bytes' }),
  last_error: z.string().nullable().meta({ description: 'Why it does not start.' }),
});

/** A process as it reports itself. */
export const processReport = z.discriminatedUnion('kind', [
  z.strictObject({ ...reported, kind: z.literal('api-gateway'), detail: z.strictObject({}) }),
  z.strictObject({
    ...reported,
    kind: z.literal('capture-worker'),
    detail: z.strictObject({
      concurrency: count.meta({ description: 'Captures that it renders at once.' }),
      running: count.meta({ description: 'Captures that it renders now.' }),
      browser: browserReport,
    }),
  }),
  z.strictObject({
    ...reported,
    kind: z.literal('webhook-dispatcher'),
    detail: z.strictObject({
      places: count.meta({ description: 'Deliveries that it sends at once.' }),
      in_flight: count.meta({ description: 'Deliveries that it sends now.' }),
    }),
  }),
]);

export const deployment = z.strictObject({
  form: z.string().meta({ description: 'The published form that is served.', example: 'B' }),
  plans: z.array(
    z.strictObject({
      name: z.string(),
      monthly_limit: count.nullable().meta({ description: 'Captures a month; null is unlimited.' }),
      per_second: count.nullable().meta({ description: 'Requests a second; null is unlimited.' }),
    }),
  ),
});

export const processList = z.strictObject({
  at: time.meta({ description: 'The clock of the gateway that answers.' }),
  redis: z.enum(['ok', 'evicting', 'away']).meta({
    description:
      '`away`: nobody can be asked for, and the list is empty. `evicting`: it may throw jobs away when it is full.',
  }),
  database: z.strictObject({
    answer_ms: z.int().nullable().meta({
      description:
        'What a bare statement takes this gateway, the wait for a connection included; null beyond two seconds.',
    }),
    clock_offset_ms: z
      .int()
      .nullable()
      .meta({ description: 'By how much this gateway’s clock is ahead of Postgres’.' }),
    connections: z.int().meta({ description: 'That this gateway may have at most.' }),
    connections_in_use: z.int(),
    waiting: z.int().meta({ description: 'Statements that wait for a connection, all being in use.' }),
  }),
  processes: z.array(processReport).meta({ description: 'By kind, then the longest running first.' }),
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
            'When the last run ended that did; what follows is of that run. Before `last_started_at`: one is under way.',
        }),
        last_duration_ms: milliseconds.nullable().meta({ unit: 'milliseconds' }),
        last_count: count.nullable().meta({ description: 'What it removed, found or mended; null if it failed.' }),
        last_error: z.string().nullable().meta({ description: 'Why it failed; null if it did not.' }),
      }),
    )
    .meta({ description: 'Every cleanup job, those that have never run too.' }),
});

/** How far back activity is told of: a day, minutes. */
export const activityMinutesAtMost = 1_440;

export const activityRequest = z.strictObject({
  minutes: z
    .int()
    .min(1)
    .max(activityMinutesAtMost)
    .default(60)
    .meta({ description: 'How many, with the one under way.' }),
});

const perMinute = z.strictObject({
  at: time.meta({ description: 'When the minute began.' }),
  completed: count.meta({ description: 'Captures that completed; not those that were given again.' }),
  failed: count,
  cancelled: count,
  p50_ms: milliseconds
    .nullable()
    .meta({ description: 'What half of the captures took on a page at most.', unit: 'milliseconds' }),
  p95_ms: milliseconds.nullable().meta({ description: 'The same of 95 in 100.', unit: 'milliseconds' }),
  waited_p95_ms: milliseconds.nullable().meta({
    description: 'For how long 95 in 100 single captures waited for a worker at most; items of a batch wait by design.',
    unit: 'milliseconds',
  }),
  deliveries_succeeded: count
    .nullable()
    .meta({ description: 'Attempts that receivers answered with 2xx; null where none are kept.' }),
  deliveries_failed: count.nullable().meta({ description: 'The other attempts.' }),
});

export const activity = z.strictObject({
  minutes: z.array(perMinute).meta({ description: 'Every minute, the oldest first; the last is under way.' }),
  accounts: z
    .array(
      z.strictObject({
        id: z.string(),
        email: z.string(),
        plan: z.string(),
        open: count.meta({ description: 'Its captures that wait or are being rendered.' }),
        ended: count.meta({ description: 'Its captures that ended in these minutes.' }),
        used_today: count.meta({ description: 'Its captures of today (UTC) that completed and count.' }),
      }),
    )
    .meta({ description: 'The ten that have most open or ended, the busiest first.' }),
  receivers: z
    .array(
      z.strictObject({
        host: z.string().meta({ description: 'With its port, where the URLs name one.', example: 'hooks.example.com' }),
        accounts: count.meta({ description: 'How many accounts send to it.' }),
        pending: count.meta({ description: 'Deliveries to it whose last attempt failed and that are tried again.' }),
        oldest_due_at: time.meta({ description: 'When the first of them is, or was, due.' }),
        last_error: z.string().nullable().meta({ description: 'What most of them failed with.', example: 'http_5xx' }),
      }),
    )
    .meta({ description: 'The ten hosts at which most deliveries fail.' }),
});

const partState = z.enum(['ok', 'away']);

/** The body of `/readyz`. */
export const readiness = z.strictObject({
  status: z.enum(['ready', 'not ready']),
  database: partState,
  redis: partState,
  workers: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Capture workers that are there; null if that cannot be told.' }),
});
