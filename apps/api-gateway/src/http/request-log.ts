import { type ErrorCode, errorStatus } from '@capture/contract/errors';
import type { Logger } from '@capture/runtime/service/log';
import type { Exchange } from './exchange.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { endRequestSpan } from './request-span.ts';

/** Writes one wide log line per request, and its metrics, once the response is sent or the client has disconnected. */
export function reportAtEnd(log: Logger, metrics: HttpMetrics, exchange: Exchange, route: string): void {
  const { req, res, facts, startedAt, stages } = exchange;
  res.once('close', () => {
    const durationMs = performance.now() - startedAt;
    const labels = { method: knownMethod(req.method), route };
    metrics.requests.inc({ ...labels, status: res.statusCode });
    metrics.durations.observe(labels, durationMs / 1_000);
    const { err, ...rest } = facts;
    const line = {
      request_id: exchange.requestId,
      ...labels,
      status: res.statusCode,
      duration_ms: Math.round(durationMs * 10) / 10,
      client: req.ip,
      stages,
      ...(!res.writableFinished && { cut_short: true }),
      ...withoutInvalidIds(rest),
      ...(err !== undefined && { err }),
    };
    exchange.span.run(() => {
      // 502 and 504 are faults of the page or of the time limit. A compatible protocol may send other statuses for these codes.
      const status = errorStatus[facts.error_code as ErrorCode] ?? res.statusCode;
      if (status >= 500 && ![502, 504].includes(status)) log.error(line, 'request');
      else log.info(line, 'request');
    });
    endRequestSpan(exchange.span, line);
  });
}

const idForm = /^[a-z]{2,5}_[0-9a-z]{26}$/;

/** A client may put anything into the path instead of an id, even a key by mistake. */
function withoutInvalidIds(facts: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(facts).filter(([name, value]) => !name.endsWith('_id') || idForm.test(String(value)));
  return Object.fromEntries(kept);
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A client can send any word as a method; the values of a metric's label must stay bounded. */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
