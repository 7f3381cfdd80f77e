import type { Queryable } from '@capture/database/database';
import { inSpan } from '@capture/runtime/tracing/trace';
import type { Dependencies } from '../dependencies.ts';
import { type KeyExchange, passed } from '../http/exchange.ts';
import { once } from '../limits/idempotency.ts';
import { type Admitted, admitCapture, type RequestedCapture } from './admit.ts';
import type { Outlook } from './queue-estimate.ts';
import { refuseIfOverloaded, respondWithCapture } from './respond-capture.ts';

/** How the outcome is to come back. */
interface Answering {
  async: boolean;
  response_type: 'binary' | 'json';
  timeout_ms: number;
}

/** Takes a well-formed capture request the rest of its way, whatever its kind: admits it once, then answers it. */
export async function capture(
  dependencies: Dependencies,
  exchange: KeyExchange,
  answering: Answering,
  requested: RequestedCapture,
): Promise<void> {
  // Read before the capture is there, which is not before itself.
  const outlook = answering.async ? await dependencies.queueEstimate.next(exchange.caller.accountId) : null;
  const admit = (connection: Queryable | null) =>
    inSpan('admit', {}, () => admitCapture(dependencies, exchange, requested, connection));
  const result = await once<Admitted>(dependencies, exchange, requested.options, {
    check: async () => {
      if (!answering.async) await refuseIfOverloaded(dependencies, exchange);
    },
    needsTransaction: requested.cacheTtlS > 0,
    make: admit,
    ...(requested.cacheTtlS === 0 && { makeAlone: () => admit(null) }),
    remember: (admitted) => ({
      captureId: admitted.id,
      answer: outlook && acceptance(dependencies, admitted, outlook),
    }),
  });
  const { captureId, answer } = result.answer;
  if (captureId === null) throw new Error('a capture was remembered without its id');
  nameAfter(exchange, captureId);
  passed(exchange, 'recorded');

  const start = () => {
    if (result.replayed) return;
    dependencies.queueEstimate.note(exchange.caller.accountId);
    dependencies.enqueue(result.made);
    if (result.made.ended) dependencies.captureWaiter.hint(captureId);
  };
  if (answer !== null) {
    start();
    exchange.res.status(202).json(answer);
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

function acceptance({ links }: Dependencies, { id, ended }: Admitted, { position, etaMs }: Outlook) {
  return {
    request_id: id,
    status: ended ? 'completed' : 'queued',
    status_url: `${links.publicUrl}/api/v1/captures/${id}`,
    position: ended ? 0 : position,
    eta_ms: ended ? 0 : etaMs,
  };
}
