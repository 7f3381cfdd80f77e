import type { CaptureRecord } from '@capture/contract/api/responses';
import { every } from '@capture/runtime/service/every';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { isOverloaded, overloaded, type ResponseDependencies, waitForEnd } from '../captures/respond-capture.ts';
import type { Acceptance } from '../captures/result-view.ts';
import type { KeyExchange } from '../http/exchange.ts';
import { type Api, ApiFailure } from './call-api.ts';

/** How often a client that asks for progress gets a report, milliseconds: clients stop waiting after 60 s of silence. */
const progressEveryMs = 3_000;

/** The SDK passes this to a tool together with the arguments. */
export type CallContext = RequestHandlerExtra<ServerRequest, ServerNotification>;

export type TakeCapture = (
  path: string,
  options: { timeout_ms: number },
  context: CallContext,
) => Promise<CaptureRecord>;

/** The parts of the gateway that a call needs to wait for a capture. */
export interface Waiting {
  dependencies: ResponseDependencies;
  exchange: KeyExchange;
  api: Api;
  /** Aborted when the client no longer waits for the call. */
  client: AbortSignal;
}

/**
 * Captures a page and waits for the end, as long as a synchronous request may. The capture is submitted as an asynchronous
 * capture, so that its id is known while the call waits. If the client no longer waits, the capture is cancelled: an agent
 * without the response does not know the id.
 *
 * @throws {ApiFailure | ApiError} the code with which the capture was refused or failed.
 */
export function takeCapture(waiting: Waiting, ...call: Parameters<TakeCapture>): Promise<CaptureRecord> {
  const { dependencies, exchange } = waiting;
  return dependencies.admission.run('captureWait', exchange.caller.accountId, () => submitAndWait(waiting, ...call));
}

async function submitAndWait(
  { dependencies, exchange, api, client }: Waiting,
  ...[path, options, context]: Parameters<TakeCapture>
): Promise<CaptureRecord> {
  if (await isOverloaded(dependencies, exchange)) throw await overloaded(dependencies, exchange);
  const accepted = await api.submit(path, options);
  const captureId = accepted.request_id;
  const stopReporting = reportProgress({ dependencies, api, client }, accepted, context);
  const wait = { captureId, timeoutMs: options.timeout_ms, client };
  const end = await waitForEnd(dependencies, exchange, wait).finally(stopReporting);
  if (end === 'client gone') {
    exchange.facts.client_gone = true;
    await api.cancel(captureId);
  }
  client.throwIfAborted();
  const record = await api.json<CaptureRecord>('GET', `/api/v1/captures/${captureId}`);
  if (record.status === 'completed') return record;
  if (record.status === 'cancelled') throw await overloaded(dependencies, exchange);
  throw new ApiFailure(
    {
      error_code: record.error_code ?? (end === 'not ended' ? 'CAPTURE_TIMEOUT' : 'INTERNAL'),
      error_message: record.error_message ?? 'The capture was not finished in time.',
    },
    null,
  );
}

/** Reports the state to a client that gave a progress token, until the returned function is called. */
function reportProgress(
  { dependencies, api, client }: Omit<Waiting, 'exchange'>,
  { request_id, status, position }: Acceptance,
  { _meta, sendNotification }: CallContext,
): () => Promise<void> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return async () => {};
  const startedAt = performance.now();
  const report = async (message: string) => {
    const progress = (performance.now() - startedAt) / 1_000;
    const params = { progressToken, progress, message };
    // The notification fails if the client has disconnected, which the wait for the capture notices.
    await sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  void report(status === 'queued' && position > 0 ? `queued, ${position} ahead` : status);
  return every(progressEveryMs, 'report the progress of a call', dependencies.log, async () => {
    try {
      const record = await api.json<CaptureRecord>('GET', `/api/v1/captures/${request_id}`);
      await report(record.status === 'processing' ? 'rendering' : record.status);
    } catch (error) {
      if (!client.aborted) throw error;
    }
  });
}
