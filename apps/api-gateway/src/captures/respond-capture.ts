import { ApiError, type ErrorDetail } from '@capture/contract/errors';
import { qualityReasons } from '@capture/contract/quality';
import { cancelCapture } from '@capture/database/captures/cancel-capture';
import type { EventContext } from '@capture/database/captures/end-capture';
import { type CaptureWithUsage, findCapture } from '@capture/database/captures/find-capture';
import type { Database } from '@capture/database/database';
import { inSpan } from '@capture/runtime/tracing/trace';
import { htmlKey } from '@capture/storage/file-key';
import type { Storage } from '@capture/storage/storage';
import { type KeyExchange, passed } from '../http/exchange.ts';
import { sendStream } from '../http/send-stream.ts';
import type { Admission } from '../limits/admission.ts';
import { setQuotaHeaders } from '../limits/rate-limit-headers.ts';
import type { CaptureWaiter, WaitEnd } from './capture-waiter.ts';
import { setFileHeaders } from './file-headers.ts';
import { type HtmlDependencies, removeHtml } from './html-files.ts';
import type { QueueEstimate } from './queue-estimate.ts';
import { retryAfterS } from './queue-estimate.ts';
import { setReceiptHeaders } from './receipt-headers.ts';
import { captureRecord } from './records.ts';
import type { ResultView } from './result-view.ts';

/** Time beyond the request's `timeout_ms`: for storing, recording, and one retry if a worker is lost. */
const renderMarginMs = 20_000;

export interface ResponseDependencies extends EventContext, Pick<HtmlDependencies, 'log'> {
  database: Database;
  captureWaiter: CaptureWaiter;
  /** A request takes `captureWait` before its capture is recorded, so a capture whose request is refused does not count. */
  admission: Admission;
  queueEstimate: QueueEstimate;
  storage: Storage;
  /** How long a synchronous capture may wait for a worker, in milliseconds. */
  queueWaitMs: number;
}

/**
 * Waits for the end of a capture and responds with it. If the client disconnects, only the wait ends: the capture is
 * finished and counts.
 *
 * @param start enqueues the capture, called after the wait has started; does nothing for a replayed request.
 * @throws {ApiError} the code with which the capture failed; `OVERLOADED` if no worker claimed it in time: then it is
 *   cancelled and its quota refunded.
 */
export async function respondWithCapture(
  dependencies: ResponseDependencies,
  exchange: KeyExchange,
  captureId: string,
  request: { timeout_ms: number; response_type: 'binary' | 'json'; view: ResultView },
  start: () => void,
): Promise<void> {
  const { database, fileUrlOf } = dependencies;
  const client = disconnectSignal(exchange);
  const end = await waitForEnd(dependencies, exchange, { captureId, timeoutMs: request.timeout_ms, client }, start);
  if (end === 'client gone') {
    exchange.facts.client_gone = true;
    return;
  }
  passed(exchange, 'ended');
  const capture = await findCapture(database.pool, captureId);
  if (!capture) throw new ApiError('NOT_FOUND', 'The capture was deleted before it ended.');
  passed(exchange, 'read');
  reportOutcome(dependencies, exchange, capture);
  switch (capture.status) {
    case 'completed':
      if (request.response_type === 'json') request.view.sendRecord(exchange.res, captureRecord(capture, fileUrlOf));
      else {
        await dependencies.admission.run('resultFile', exchange.caller.accountId, () =>
          sendFile(dependencies, exchange, capture, request.view),
        );
      }
      return;
    case 'failed':
      throw new ApiError(capture.errorCode ?? 'INTERNAL', capture.errorMessage ?? 'The capture failed.', {
        ...(capture.errorCode === 'QUALITY_REJECTED' && { details: reasonDetails(capture) }),
      });
    case 'cancelled':
      throw await overloaded(dependencies, exchange);
    default:
      throw new ApiError('CAPTURE_TIMEOUT', 'The capture was not finished in time.');
  }
}

/**
 * Waits for the end of a capture, for as long as a synchronous request may.
 *
 * @param wait.timeoutMs the `timeout_ms` of the capture.
 * @param wait.client aborted when the client no longer waits.
 * @param start enqueues the capture, called after the wait has started.
 * @throws {ApiError} `OVERLOADED` if no worker claimed the capture in time: then the capture is cancelled and its quota
 * refunded.
 */
export async function waitForEnd(
  dependencies: ResponseDependencies,
  exchange: KeyExchange,
  { captureId, timeoutMs, client }: { captureId: string; timeoutMs: number; client: AbortSignal },
  start: () => void = () => {},
): Promise<WaitEnd> {
  const { database, captureWaiter, queueWaitMs } = dependencies;
  const renderMs = timeoutMs + renderMarginMs;
  const waiting = inSpan('wait', {}, () => captureWaiter.wait(captureId, { queueMs: queueWaitMs, renderMs }, client));
  start();
  const end = await waiting;
  if (end !== 'not claimed') return end;
  if (await cancelCapture(database.pool, dependencies, captureId)) {
    const cancelled = await findCapture(database.pool, captureId);
    if (cancelled?.options.html !== undefined) removeHtml(dependencies, [htmlKey(captureId)]);
    throw await overloaded(dependencies, exchange);
  }
  // A worker claimed the capture at the last moment: the time limit for rendering starts.
  return captureWaiter.wait(captureId, { queueMs: renderMs, renderMs }, client);
}

/** The reasons of a capture's quality, as details of an error. */
function reasonDetails({ quality }: CaptureWithUsage): ErrorDetail[] {
  return (quality?.reasons ?? []).map((reason) => ({ field: `quality.${reason}`, message: qualityReasons[reason] }));
}

/** Whether no worker could claim a new capture in time, or this process can hold no further waiting request. */
export async function isOverloaded(
  { queueEstimate, captureWaiter, queueWaitMs }: ResponseDependencies,
  { caller }: KeyExchange,
): Promise<boolean> {
  const { waitMs } = await queueEstimate.next(caller.accountId);
  return (waitMs ?? 0) > queueWaitMs || captureWaiter.isFull;
}

export async function overloaded(
  { queueEstimate, queueWaitMs }: ResponseDependencies,
  { caller }: KeyExchange,
): Promise<ApiError> {
  const estimate = await queueEstimate.next(caller.accountId);
  return new ApiError(
    'OVERLOADED',
    'No worker is free to run the capture in time. It does not count towards the quota; try again later.',
    {
      retryAfterS: retryAfterS(estimate, queueWaitMs),
    },
  );
}

/** Sets the headers for quota and receipt, and the fields of the log line. */
function reportOutcome(
  { form }: ResponseDependencies,
  { res, caller, facts }: KeyExchange,
  capture: CaptureWithUsage,
): void {
  setQuotaHeaders(res, form, caller.plan, capture, capture.createdAt);
  setReceiptHeaders(res, capture);
  facts.capture_status = capture.status;
  if (capture.startedAt) facts.queue_ms = capture.startedAt.getTime() - capture.createdAt.getTime();
  if (capture.durationMs !== null) facts.render_ms = capture.durationMs;
}

async function sendFile(
  { storage, fileUrlOf }: ResponseDependencies,
  { res }: KeyExchange,
  capture: CaptureWithUsage,
  view: ResultView,
): Promise<void> {
  const sent = view.output === undefined ? capture : outputOf(capture, view.output);
  const file = sent?.storageKey ? await storage.open(sent.storageKey) : null;
  if (!sent || !file) throw new ApiError('NOT_FOUND', 'The file of this capture was deleted.');
  setFileHeaders(res, sent, file.size);
  res.setHeader('Cache-Control', 'private, no-store');
  view.setFileHeaders?.(res, captureRecord(capture, fileUrlOf));
  await inSpan('send file', {}, () => sendStream(file.stream, res));
}

function outputOf({ id, outputs }: CaptureWithUsage, name: string) {
  const output = outputs?.find((each) => each.name === name);
  return output && { id, name, format: output.format, storageKey: output.key };
}

function disconnectSignal({ res }: KeyExchange): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}
