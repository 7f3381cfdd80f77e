import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import type { CaptureOutcome } from '@capture/database/captures/end-capture';
import { jobs } from '@capture/queue/catalog';
import { noteSpan, noteSpanOf, type Span, startSpanOf } from '@capture/runtime/tracing/trace';
import type { CaptureReport } from '../capture/capture-report.ts';
import type { Recorded } from './record-outcome.ts';

/**
 * Starts the span of one attempt at a capture, in the trace of the request that created the capture (for an item, its batch).
 * Adds a span for the time in the queue.
 *
 * @param claiming the begin and end of the claim, as `performance.now()`.
 */
export function startCaptureSpan(capture: ClaimedCapture, claiming: { from: number; to: number }): Span {
  const { id, batchId, accountId, attempt, type, createdAt, startedAt } = capture;
  const trace = batchId ?? id;
  const attributes = {
    'capture.request_id': id,
    'capture.account_id': accountId,
    ...(batchId !== null && { 'capture.batch_id': batchId }),
  };
  // Both times are Postgres's, so clock skew between machines does not change the time in the queue.
  if (attempt === 1) noteSpanOf(trace, 'queue', { startedAt: createdAt, attributes }, startedAt);
  const span = startSpanOf(trace, `process ${jobs.capture.queue}`, {
    kind: 'consumer',
    startedAt: claiming.from,
    attributes: {
      ...attributes,
      'messaging.system': 'bullmq',
      'messaging.destination.name': jobs.capture.queue,
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'capture.type': type,
      'capture.attempt': attempt,
      ...hostOf(capture.url),
    },
  });
  span.run(() => noteSpan('claim', { startedAt: claiming.from }, claiming.to));
  return span;
}

/** Adds the outcome and the report to the capture's span. */
export function noteOutcome(
  span: Span,
  { report, outcome, recorded }: { report: CaptureReport; outcome: CaptureOutcome; recorded: Recorded },
): void {
  span.note({
    'capture.status': recorded.ended ? outcome.status : 'superseded',
    'capture.tries': report.tries,
    ...(typeof report.httpStatus === 'number' && { 'http.response.status_code': report.httpStatus }),
    ...(report.waitEnded && { 'capture.wait_ended': report.waitEnded }),
    ...(report.requests !== undefined && { 'capture.page_requests': report.requests }),
    ...(outcome.status === 'completed' && { 'capture.file_size': outcome.fileSize }),
  });
  if (outcome.status === 'failed') span.failed(outcome.errorCode);
}

/** Returns only the host name, because clients put tokens into the rest of a URL. */
function hostOf(url: string): { 'server.address'?: string } {
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  return hostname === '' ? {} : { 'server.address': hostname };
}
