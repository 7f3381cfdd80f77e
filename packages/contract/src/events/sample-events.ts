import type { ContractForm, EventName } from '../forms/forms.ts';
import { batchCompleted, batchProgress, captureCompleted, captureFailed, type SerialisedEvent } from './events.ts';

/** The lifetime of the sample's file, 24 h. */
const sampleLifetimeMs = 86_400_000;

/** Creates a sample event of the form, for a connectivity test. Its ids are constant and belong to no real capture. */
export function sampleEvent(form: ContractForm, name: EventName, at: Date): SerialisedEvent {
  return samples[name](form, at);
}

const requestId = 'req_sample';
const failedRequestId = 'req_sample_failed';
const batchId = 'batch_sample';
const url = 'https://example.com/';
const fileUrl = 'https://example.com/sample.png';
const counts = { total: 20, succeeded: 9, failed: 1 };

const samples: Record<EventName, (form: ContractForm, at: Date) => SerialisedEvent> = {
  'capture.completed': (form, at) =>
    captureCompleted(
      form,
      {
        request_id: requestId,
        url,
        type: 'screenshot',
        format: 'png',
        width: 1_280,
        height: 720,
        file_size: 34_567,
        duration_ms: 812,
        file_url: fileUrl,
        expires_at: new Date(at.getTime() + sampleLifetimeMs).toISOString(),
      },
      at,
    ),
  'capture.failed': (form, at) =>
    captureFailed(
      {
        request_id: failedRequestId,
        url,
        type: 'screenshot',
        error_code: form.errors.unreachable,
        error_message: form.errors.unreachableMessage('its name could not be resolved'),
      },
      at,
    ),
  'batch.progress': (_form, at) => batchProgress(batchId, counts, at),
  'batch.completed': (form, at) =>
    batchCompleted(
      form,
      batchId,
      { total: 2, succeeded: 1, failed: 1 },
      [
        { request_id: requestId, url, status: 'completed', error_code: null, file_url: fileUrl },
        { request_id: failedRequestId, url, status: 'failed', error_code: form.errors.unreachable, file_url: null },
      ],
      at,
    ),
};
