import { noSpan, type Span, startTrace } from '@capture/runtime/tracing/trace';
import type { Request } from 'express';

/** The facts of a request's log line that its span repeats, and the span's names for them. No fact is free text of a client. */
const spanAttributes = {
  request_id: 'capture.request_id',
  account_id: 'capture.account_id',
  batch_id: 'capture.batch_id',
  batch_items: 'capture.batch_items',
  capture_type: 'capture.type',
  capture_status: 'capture.status',
  cached: 'capture.cached',
  replayed: 'capture.replayed',
  client_gone: 'capture.client_gone',
  error_code: 'capture.error_code',
} as const;

/**
 * Starts the trace of an API request; health checks and the dashboard's files are not traced. The trace id derives from the
 * request id, which the response carries. Paths and queries hold clients' URLs and, by mistake, keys, so no span has them.
 */
export function startRequestSpan(
  req: Pick<Request, 'get' | 'protocol'>,
  requestId: string,
  { method, route }: { method: string; route: string },
): Span {
  if (!/^\/(api|compat)\//.test(route)) return noSpan;
  const known = method === 'other' ? '_OTHER' : method;
  const attributes = { 'http.request.method': known, 'http.route': route, 'url.scheme': req.protocol };
  return startTrace(requestId, `${method} ${route}`, { kind: 'server', attributes }, req.get('traceparent'));
}

/** @param line the request's log line. */
export function endRequestSpan(span: Span, line: Record<string, unknown> & { status: number }): void {
  for (const [fact, attribute] of Object.entries(spanAttributes)) {
    const value = line[fact];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      span.note({ [attribute]: value });
    }
  }
  span.note({ 'http.response.status_code': line.status });
  // By convention a 4xx is not an error of the server.
  if (line.status >= 500) span.failed(String(line.error_code ?? line.status));
  span.end();
}
