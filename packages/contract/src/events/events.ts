import type { CaptureErrorCode } from '../errors.ts';
import type { ContractForm, EventName } from '../forms/forms.ts';

export const captureTypes = ['screenshot', 'pdf', 'og_image', 'content'] as const;

export type CaptureType = (typeof captureTypes)[number];

/** The kinds of files that one capture may have. */
export const outputKinds = [
  'screenshot',
  'pdf',
  'og_image',
  'html',
  'mhtml',
  'markdown',
  'text',
  'metadata',
  'links',
  'accessibility',
  'har',
] as const;

export type OutputKind = (typeof outputKinds)[number];

/** A completed capture with the fields of both forms. Sizes are integers, in pixels or bytes. */
export interface CompletedCapture {
  request_id: string;
  url: string;
  type: CaptureType;
  format: string;
  width: number;
  height: number;
  file_size: number;
  /** The milliseconds since a worker started the capture. */
  duration_ms: number;
  file_url: string;
  /** The time as ISO 8601, UTC. */
  expires_at: string;
  /** All files, if the capture has more than its main file. */
  outputs?: readonly CompletedOutput[] | undefined;
}

/** A file of a capture. */
export interface CompletedOutput {
  name: string;
  kind: OutputKind;
  format: string;
  file_url: string;
  file_size: number;
  width?: number;
  height?: number;
}

export interface FailedCapture {
  request_id: string;
  url: string;
  type: CaptureType;
  error_code: CaptureErrorCode;
  error_message: string;
}

/** The name of an event and the exact bytes that are stored, signed and sent. */
export interface SerialisedEvent {
  name: EventName;
  body: Buffer;
}

export function captureCompleted(form: ContractForm, capture: CompletedCapture, at: Date): SerialisedEvent {
  const { url, type, format, width, height, file_size, outputs } = capture;
  const formFields = Object.fromEntries(form.events.completedFields.map((field) => [field, capture[field]]));
  return serialise(
    'capture.completed',
    at,
    { request_id: capture.request_id },
    {
      url,
      type,
      format,
      width,
      height,
      file_size,
      ...formFields,
      ...(outputs && { outputs: outputs.map((output) => toOutput(form, output)) }),
    },
  );
}

/** Leaves out the link if the form's events have no links. */
function toOutput(form: ContractForm, { file_url, ...output }: CompletedOutput) {
  return form.events.completedFields.includes('file_url') ? { ...output, file_url } : output;
}

export function captureFailed(capture: FailedCapture, at: Date): SerialisedEvent {
  const { request_id, url, type, error_code, error_message } = capture;
  return serialise('capture.failed', at, { request_id }, { url, type, error_code, error_message });
}

export interface BatchCounts {
  total: number;
  succeeded: number;
  failed: number;
}

export interface BatchResult {
  request_id: string;
  url: string;
  status: string;
  error_code: string | null;
  file_url: string | null;
}

/** The event after every ten ended items. The contract names the event; its fields are our choice. */
export function batchProgress(batchId: string, counts: BatchCounts, at: Date): SerialisedEvent {
  return serialise('batch.progress', at, { batch_id: batchId }, progressOf(counts));
}

/** A batch's progress, for the event and the event stream. */
export function progressOf({ total, succeeded, failed }: BatchCounts) {
  const processed = succeeded + failed;
  return { total, processed, succeeded, failed, percent: Math.floor((processed / total) * 100) };
}

/** The event after the last item has ended, with the results in the client's order. */
export function batchCompleted(
  form: ContractForm,
  batchId: string,
  { total, succeeded, failed }: BatchCounts,
  results: readonly BatchResult[],
  at: Date,
): SerialisedEvent {
  const entries = results.map((result) => batchResult(form, result));
  return serialise('batch.completed', at, { batch_id: batchId }, { total, succeeded, failed, results: entries });
}

/** One entry of a batch's results; fields that do not apply are omitted. */
export function batchResult(form: ContractForm, { request_id, url, status, error_code, file_url }: BatchResult) {
  return {
    request_id,
    url,
    status,
    ...(error_code !== null && { error_code }),
    ...(form.events.batchResultFileUrl && file_url !== null && { file_url }),
  };
}

function serialise(
  name: EventName,
  at: Date,
  subject: { request_id: string } | { batch_id: string },
  data: object,
): SerialisedEvent {
  const envelope = { event: name, timestamp: at.toISOString(), ...subject, data };
  return { name, body: Buffer.from(JSON.stringify(envelope), 'utf8') };
}
