import { noSpan, type Span, startTrace } from '@capture/runtime/tracing/trace';
import type { Request } from 'express';

/** Of what a request's log line tells, what its span tells too, and under which name. None is a client's own word. */
const told = {
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
 * The first span of the trace of a request to the API; those who look at `/healthz` or load the dashboard are not traced.
 * Its ids are read off the request's id, which the answer carries. Paths and queries hold URLs of clients and, by mistake,
 * keys: they are in no span.
 */
export function startRequestSpan(
  req: Pick<Request, 'get' | 'protocol'>,
  requestId: string,
  { method, route }: { method: string; route: string },
): Span {
  if (!route.startsWith('/api/')) return noSpan;
  const known = method === 'other' ? '_OTHER' : method;
  const attributes = { 'http.request.method': known, 'http.route': route, 'url.scheme': req.protocol };
  return startTrace(requestId, `${method} ${route}`, { kind: 'server', attributes }, req.get('traceparent'));
}

/** @param line the request's log line. */
export function endRequestSpan(span: Span, line: Record<string, unknown> & { status: number }): void {
  for (const [fact, attribute] of Object.entries(told)) {
    const value = line[fact];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      span.note({ [attribute]: value });
    }
  }
  span.note({ 'http.response.status_code': line.status });
  // By convention what is the client's fault is no error of the server's.
  if (line.status >= 500) span.failed(String(line.error_code ?? line.status));
  span.end();
}
