import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

/** A span as the collector receives it. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Null for the root span. */
  parentSpanId: string | null;
  name: string;
  /** The process that recorded the span. */
  service: string;
  attributes: Record<string, unknown>;
  /** Whether the status of the span is an error. */
  failed: boolean;
  links: { traceId: string; spanId: string }[];
  startedAt: bigint;
  endedAt: bigint;
}

export interface TraceCollector {
  /** The URL for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  /** Every span so far. */
  spans: CollectedSpan[];
  /** Everything received so far, unparsed. */
  received(): string;
  /** Requests so far. */
  readonly requests: number;
  close(): Promise<void>;
}

/**
 * Opens a collector of traces: OTLP over HTTP, as JSON.
 *
 * @param responds false for a collector that accepts every request and never responds.
 */
export async function openTraceCollector({ responds = true } = {}): Promise<TraceCollector> {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    bodies.push(`${JSON.stringify(request.rawHeaders)} ${body}`);
    if (!responds) return;
    if (request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    spans.push(...readSpans(JSON.parse(body)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const { port, close } = await listen(server, 'trace collector');
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

/** The part of `ExportTraceServiceRequest` that the collector reads. */
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
