import { hasEqualCapture } from '@capture/database/captures/equal-captures';
import type { Queryable } from '@capture/database/database';
import type { CacheResults } from '@capture/runtime/metrics/cache-metrics';
import { inSpan } from '@capture/runtime/tracing/trace';
import { type KeyExchange, passed } from '../http/exchange.ts';
import {
  type Creation,
  type CreationResult,
  createIdempotently,
  type IdempotencyDependencies,
} from '../limits/idempotency.ts';
import { type AdmitDependencies, type Admitted, admitCapture, type RequestedCapture } from './admit.ts';
import type { Enqueue } from './enqueue.ts';
import { type HtmlDependencies, HtmlFiles } from './html-files.ts';
import type { CaptureEstimate } from './queue-estimate.ts';
import { isOverloaded, overloaded, type ResponseDependencies, respondWithCapture } from './respond-capture.ts';
import { type Acceptance, ownView, type ResultView } from './result-view.ts';

export interface CaptureDependencies
  extends AdmitDependencies,
    IdempotencyDependencies,
    ResponseDependencies,
    HtmlDependencies {
  storage: ResponseDependencies['storage'];
  enqueue: Enqueue;
  links: { publicUrl: string };
  cacheResults: CacheResults;
}

/** How the client wants the result. */
interface ResponseOptions {
  async: boolean;
  response_type: 'binary' | 'json';
  timeout_ms: number;
}

/**
 * Handles a valid capture request of any type: admits it, enqueues it and sends the response. While a request waits for its
 * capture, nothing refers to its options: 2,000 waiting requests with 2 MB of `html` each would not fit into memory.
 */
export async function capture(
  dependencies: CaptureDependencies,
  exchange: KeyExchange,
  options: ResponseOptions,
  requested: RequestedCapture,
  view: ResultView = ownView,
): Promise<void> {
  const leave = options.async ? undefined : await dependencies.admission.take('captureWait', exchange.caller.accountId);
  let recorded: CreationResult<Admitted>;
  try {
    recorded = await record(dependencies, exchange, options, requested);
  } catch (error) {
    leave?.();
    throw error;
  }
  exchange.req.body = undefined;
  const { response_type, timeout_ms } = options;
  // The call does not await the response, so that its variables do not stay in memory until then.
  return respond(dependencies, exchange, recorded, { response_type, timeout_ms, view }).finally(leave);
}

/** Records the capture, or finds what an earlier request with the same `Idempotency-Key` recorded. */
async function record(
  dependencies: CaptureDependencies,
  exchange: KeyExchange,
  options: ResponseOptions,
  requested: RequestedCapture,
): Promise<CreationResult<Admitted>> {
  // The estimate is read before the capture is recorded, because the capture does not wait for itself.
  const estimate = options.async ? await dependencies.queueEstimate.next(exchange.caller.accountId) : null;
  const html = new HtmlFiles(dependencies, exchange, [{ id: exchange.requestId, options: requested.options }]);
  const admit = (connection: Queryable | null) =>
    inSpan('admit', {}, () => admitCapture(dependencies, exchange, requested, html, connection));
  const creation: Creation<Admitted> = {
    check: async () => {
      // A cached capture needs no worker, so no worker reads the stored page.
      const { accountId } = exchange.caller;
      const cached = { ...requested, accountId, ttlS: requested.cacheTtlS };
      const isCached = () => hasEqualCapture(dependencies.database.pool, cached);
      if (!options.async && (await isOverloaded(dependencies, exchange)) && !(await isCached())) {
        throw await overloaded(dependencies, exchange);
      }
      if (requested.options.html !== undefined && !(await isCached())) await html.storeAhead();
    },
    needsTransaction: requested.cacheTtlS > 0,
    create: admit,
    ...(requested.cacheTtlS === 0 && { createAlone: () => admit(null) }),
    responseOf: (admitted) => ({
      captureId: admitted.id,
      body: estimate && acceptance(dependencies, admitted, estimate),
    }),
  };
  return html.keptBy(() => createIdempotently(dependencies, exchange, requested.options, creation));
}

async function respond(
  dependencies: CaptureDependencies,
  exchange: KeyExchange,
  result: CreationResult<Admitted>,
  options: Pick<ResponseOptions, 'response_type' | 'timeout_ms'> & { view: ResultView },
): Promise<void> {
  const { captureId, body } = result.response;
  if (captureId === null) throw new Error('a capture was stored without its id');
  setRequestId(exchange, captureId);
  passed(exchange, 'recorded');

  const start = () => {
    if (result.replayed) return;
    dependencies.queueEstimate.note(exchange.caller.accountId);
    dependencies.enqueue(result.created);
    if (!result.created.ended) return;
    dependencies.cacheResults.note('cache_ttl_s', 'hit');
    dependencies.captureWaiter.hint(captureId);
  };
  if (body !== null) {
    start();
    options.view.sendAcceptance(exchange.res, body as Acceptance);
    return;
  }
  await respondWithCapture(dependencies, exchange, captureId, options, start);
}

/** Sets the request id to that of the capture, which a replayed request did not create. */
function setRequestId(exchange: KeyExchange, captureId: string): void {
  if (exchange.requestId !== captureId) exchange.span.link(captureId);
  exchange.requestId = captureId;
  exchange.res.setHeader('X-Request-Id', captureId);
}

function acceptance(
  { links }: CaptureDependencies,
  { id, ended }: Admitted,
  { position, etaMs }: CaptureEstimate,
): Acceptance {
  return {
    request_id: id,
    status: ended ? 'completed' : 'queued',
    status_url: `${links.publicUrl}/api/v1/captures/${id}`,
    position: ended ? 0 : position,
    eta_ms: ended ? 0 : etaMs,
  };
}
