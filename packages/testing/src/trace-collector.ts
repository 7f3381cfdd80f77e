import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { noteOpen } from './open-resources.ts';

/** A span as a collector gets it. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Null for the first one of a trace. */
  parentSpanId: string | null;
  name: string;
  /** The process it is of. */
  service: string;
  attributes: Record<string, unknown>;
  /** Whether it says that it came to nothing. */
  failed: boolean;
  /** Traces that it is linked to. */
  links: { traceId: string; spanId: string }[];
  startedAt: bigint;
  endedAt: bigint;
}

export interface TraceCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  /** Every span so far. */
  spans: CollectedSpan[];
  /** Everything so far, as it came. */
  received(): string;
  /** Requests so far. */
  readonly requests: number;
  close(): Promise<void>;
}

/**
 * What takes traces by OTLP over HTTP, as JSON.
 *
 * @param answers false for one that takes everything and never says so.
 */
export async function openTraceCollector({ answers = true } = {}): Promise<TraceCollector> {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    bodies.push(`${JSON.stringify(request.rawHeaders)} ${body}`);
    if (!answers) return;
    if (request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    spans.push(...readSpans(JSON.parse(body)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    closed();
    const ended = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await ended;
  };
  const closed = noteOpen(`trace collector on port ${port}`, close);
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    received: () => bodies.join('\n'),
    get requests() {
      return bodies.length;
    },
    close,
  };
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}

/** The part of `ExportTraceServiceRequest` that is looked at. */
interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        attributes?: Attribute[];
        status?: { code?: number };
        links?: { traceId: string; spanId: string }[];
        startTimeUnixNano: string;
        endTimeUnixNano: string;
      }[];
    }[];
  }[];
}

function readSpans({ resourceSpans }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || null,
        name: span.name,
        service,
        attributes: readAttributes(span.attributes ?? []),
        failed: span.status?.code === 2,
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
        startedAt: BigInt(span.startTimeUnixNano),
        endedAt: BigInt(span.endTimeUnixNano),
      })),
    );
  });
}

function readAttributes(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
