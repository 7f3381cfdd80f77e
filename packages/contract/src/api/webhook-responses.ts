import { z } from 'zod';
import { captureErrorCodes } from '../errors.ts';
import { captureTypes } from '../events/events.ts';
import type { CompletedField, ContractForm, EventName } from '../forms/forms.ts';
import { batchResult, count, time } from './responses.ts';

/** The responses about webhooks, and the bodies of events. */

const attemptError = z.enum([
  'timeout',
  'dns',
  'refused',
  'reset',
  'tls',
  'redirect',
  'blocked',
  'invalid_response',
  'http_4xx',
  'http_5xx',
]);

export const testOutcome = z.strictObject({
  delivered: z.boolean().meta({ description: 'Whether the endpoint responded with 2xx.' }),
  status: z.int().nullable().meta({ description: 'The HTTP status of its response.' }),
  latency_ms: z.int().nullable().meta({ unit: 'milliseconds' }),
  error: attemptError.nullable(),
});

export const endpoint = (form: ContractForm) =>
  z.strictObject({
    id: z.string().meta({ example: 'wh_01kaek2v2gf3d9w8q0x5m7r4tz' }),
    url: z.string(),
    events: z.array(z.enum(form.events.names as [EventName, ...EventName[]])),
    status: z.enum(['active', 'paused', 'disabled']),
    disabled_reason: z.string().nullable().optional().meta({ description: 'Why it was disabled.' }),
    failing_since: time
      .nullable()
      .optional()
      .meta({ description: 'Since when every attempt has failed; null if the last one succeeded.' }),
    created_at: time,
  });

export const endpointStatistics = z.strictObject({
  days: z
    .array(
      z.strictObject({
        date: z.iso.date().meta({ description: 'UTC: when the deliveries were created.', example: '2026-11-20' }),
        delivered: count.meta({ description: 'Counted up to 10,000, as the others.' }),
        failed: count.meta({ description: 'Deliveries whose attempts are exhausted.' }),
        pending: count.meta({ description: 'Deliveries that wait for an attempt, or are held by a pause.' }),
      }),
    )
    .meta({ description: 'Every day, the oldest first.' }),
});

export const registeredEndpoint = (form: ContractForm) =>
  endpoint(form).extend({
    secret: z.string().optional().meta({ description: 'Only if it was generated here; shown once.' }),
  });

export const delivery = (form: ContractForm) =>
  z.strictObject({
    id: z.string().meta({ example: 'dlv_01kaek2v2gf3d9w8q0x5m7r4tz' }),
    event: z.enum(form.events.names as [EventName, ...EventName[]]),
    event_id: z.string().meta({ description: 'The `webhook-id`, the same for retries and replays.' }),
    request_id: z.string().nullable(),
    batch_id: z.string().nullable(),
    webhook_id: z.string().nullable().meta({ description: 'Null if the capture has its own `webhook_url`.' }),
    url: z.string(),
    status: z.enum(['pending', 'delivered', 'failed', 'paused']),
    attempt_count: count,
    next_attempt_at: time.nullable(),
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: time,
    completed_at: time.nullable(),
  });

export const deliveryWithAttempts = (form: ContractForm) =>
  delivery(form).extend({
    payload: z.record(z.string(), z.unknown()).meta({ description: 'The body of the request.' }),
    attempts: z.array(
      z.strictObject({
        number: count,
        trigger: z.enum(['schedule', 'manual']),
        started_at: time,
        duration_ms: z.int().nullable().meta({ unit: 'milliseconds' }),
        status: z.int().nullable(),
        error: z.string().nullable(),
        response_excerpt: z.string().nullable(),
      }),
    ),
  });

export const replayed = z.strictObject({
  replayed: count.meta({ description: 'Number of deliveries that are sent again.' }),
});

export const replayable = z.strictObject({
  replayable: count.meta({
    description:
      'Number of deliveries that a replay would send, counted up to 100,000. Those of deleted endpoints are left out.',
  }),
});

const capture = {
  url: z.string(),
  type: z.enum(captureTypes),
};

const completedFields: Readonly<Record<CompletedField, z.ZodType>> = {
  duration_ms: z.int().meta({ description: 'Duration of the capture.', unit: 'milliseconds' }),
  file_url: z.string().meta({ description: 'A signed link to the file.' }),
  expires_at: time,
};

const ofCapture = { request_id: z.string() };
const ofBatch = { batch_id: z.string() };
const batchCounts = { total: count, succeeded: count, failed: count };

function eventSchema(name: EventName, subject: z.ZodRawShape, data: z.ZodRawShape) {
  return z.strictObject({ event: z.literal(name), timestamp: time, ...subject, data: z.strictObject(data) });
}

export function eventBody(form: ContractForm, name: EventName): z.ZodObject {
  switch (name) {
    case 'capture.completed':
      return eventSchema(name, ofCapture, {
        ...capture,
        format: z.string(),
        width: z.int().meta({ unit: 'pixels' }),
        height: z.int().meta({ unit: 'pixels' }),
        file_size: z.int().meta({ unit: 'bytes' }),
        ...Object.fromEntries(form.events.completedFields.map((field) => [field, completedFields[field]])),
      });
    case 'capture.failed':
      return eventSchema(name, ofCapture, {
        ...capture,
        error_code: z.enum(captureErrorCodes),
        error_message: z.string(),
      });
    case 'batch.progress':
      return eventSchema(name, ofBatch, { ...batchCounts, processed: count, percent: z.int().min(0).max(100) });
    case 'batch.completed':
      return eventSchema(name, ofBatch, {
        ...batchCounts,
        results: z.array(
          batchResult.omit({ outputs: true, ...(!form.events.batchResultFileUrl && { file_url: true as const }) }),
        ),
      });
  }
}
