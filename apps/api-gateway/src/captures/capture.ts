import type { Queryable } from '@capture/database/database';
import { inSpan } from '@capture/runtime/tracing/trace';
import { type KeyExchange, passed } from '../http/exchange.ts';
import { createIdempotently } from '../limits/idempotency.ts';
import { type AdmitDependencies, type Admitted, admitCapture, type RequestedCapture } from './admit.ts';
import type { Enqueue } from './enqueue.ts';
import type { Outlook } from './queue-estimate.ts';
import { type ResponseDependencies, refuseIfOverloaded, respondWithCapture } from './respond-capture.ts';

export interface CaptureDependencies extends AdmitDependencies, ResponseDependencies {
  enqueue: Enqueue;
  links: { publicUrl: string };
}

/** How the outcome is to come back. */
interface Answering {
  async: boolean;
  response_type: 'binary' | 'json';
  timeout_ms: number;
}

/** Takes a well-formed capture request the rest of its way, whatever its kind: admits it once, then answers it. */
export async function capture(
  dependencies: CaptureDependencies,
  exchange: KeyExchange,
  answering: Answering,
  requested: RequestedCapture,
): Promise<void> {
  // Read before the capture is there, which is not before itself.
  const outlook = answering.async ? await dependencies.queueEstimate.next(exchange.caller.accountId) : null;
  const admit = (connection: Queryable | null) =>
    inSpan('admit', {}, () => admitCapture(dependencies, exchange, requested, connection));
  const result = await createIdempotently<Admitted>(dependencies, exchange, requested.options, {
    check: async () => {
      if (!answering.async) await refuseIfOverloaded(dependencies, exchange);
    },
    needsTransaction: requested.cacheTtlS > 0,
    create: admit,
    ...(requested.cacheTtlS === 0 && { createAlone: () => admit(null) }),
    responseOf: (admitted) => ({
      captureId: admitted.id,
      body: outlook && acceptance(dependencies, admitted, outlook),
    }),
  });
  const { captureId, body } = result.response;
  if (captureId === null) throw new Error('a capture was stored without its id');
  nameAfter(exchange, captureId);
  passed(exchange, 'recorded');

  const start = () => {
    if (result.replayed) return;
    dependencies.queueEstimate.note(exchange.caller.accountId);
    dependencies.enqueue(result.created);
    if (result.created.ended) dependencies.captureWaiter.hint(captureId);
  };
  if (body !== null) {
    start();
    exchange.res.status(202).json(body);
    return;
  }
  await respondWithCapture(dependencies, exchange, captureId, answering, start);
}

/** The answer carries the id of the capture that it is about, which a replayed request did not make itself. */
function nameAfter(exchange: KeyExchange, captureId: string): void {
  if (exchange.requestId !== captureId) exchange.span.link(captureId);
  exchange.requestId = captureId;
  exchange.res.setHeader('X-Request-Id', captureId);
}

function acceptance({ links }: CaptureDependencies, { id, ended }: Admitted, { position, etaMs }: Outlook) {
  return {
    request_id: id,
    status: ended ? 'completed' : 'queued',
    status_url: `${links.publicUrl}/api/v1/captures/${id}`,
    position: ended ? 0 : position,
    eta_ms: ended ? 0 : etaMs,
  };
}
