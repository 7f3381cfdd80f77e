import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  NodeTracerProvider,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { Logger } from 'pino';
import type { settings } from '../settings.ts';
import { withTimeout } from '../timeout.ts';
import { fileExporter, logOutages } from './span-exporters.ts';
import { setSpanSource } from './trace.ts';
import type { SpanIds } from './trace-of.ts';

/** How this process creates and exports spans. */
export interface TracingOptions {
  serviceName: string;
  /** Whether spans are sent to a collector; they can also be written to a file. */
  collector: boolean;
  file: string | undefined;
  sampler: ReturnType<typeof settings.OTEL_TRACES_SAMPLER.parse>;
  /** The share of traces that `traceidratio` keeps, 0 to 1. */
  ratio: number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** The timeout for sending the last spans when a process stops, milliseconds. A collector takes some tens of milliseconds. */
const shutdownTimeoutMs = 1_000;

/**
 * Sends spans to a collector, by OTLP over HTTP as JSON, or writes them to a file. Spans are queued (at most 2,048, or
 * `OTEL_BSP_MAX_QUEUE_SIZE`) and sent some hundreds at a time; when the queue is full, further spans are dropped. A slow or
 * unavailable collector therefore costs only spans.
 *
 * @returns a function that sends the last spans, within a second, and shuts tracing down.
 */
export function openTraces({ serviceName, collector, file, sampler, ratio, log }: TracingOptions): () => Promise<void> {
  const ids = createChosenIds();
  const exporters = [
    ...(collector ? [new OTLPTraceExporter()] : []),
    ...(file === undefined ? [] : [fileExporter(file)]),
  ];
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.namespace': 'capture',
          'service.instance.id': randomUUID(),
          'host.name': hostname(),
          'process.pid': process.pid,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName })),
    sampler: createSampler(sampler, ratio),
    idGenerator: ids,
    spanProcessors: exporters.map((exporter) => new BatchSpanProcessor(logOutages(exporter, log))),
  });
  // This registers the context manager and the `traceparent` parser; our code creates spans through `trace.ts`.
  provider.register();
  const tracer = provider.getTracer('capture');
  setSpanSource({
    start: (name, options, parent) => tracer.startSpan(name, options, parent),
    startRoot(name, options, chosen) {
      const start = () => tracer.startSpan(name, { ...options, root: true });
      return chosen ? ids.choose(chosen, start) : start();
    },
  });
  return async () => {
    setSpanSource(null);
    const sent = provider.shutdown().catch(() => undefined);
    await withTimeout(shutdownTimeoutMs, sent, () => undefined);
  };
}

/**
 * Decides which spans are kept. A span follows its parent in this process. A span whose parent is in another process is sampled
 * like a root span, by the trace's id, so that both processes decide alike.
 */
function createSampler(name: TracingOptions['sampler'], ratio: number): Sampler {
  const root = createRootSampler(name, ratio);
  return new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root });
}

function createRootSampler(name: TracingOptions['sampler'], ratio: number): Sampler {
  if (name.endsWith('always_on')) return new AlwaysOnSampler();
  if (name.endsWith('always_off')) return new AlwaysOffSampler();
  return new TraceIdRatioBasedSampler(ratio);
}
/** Generates random ids, except for a span that is started with chosen ids. */
interface ChosenIds extends IdGenerator {
  /** The span that `start` starts gets these ids. `start` must start one span, synchronously. */
  choose<Span>(ids: SpanIds, start: () => Span): Span;
}

/**
 * OpenTelemetry asks the generator for a span's ids without naming the span. Starting a span is synchronous, so the chosen ids
 * can be set for that time.
 */
function createChosenIds(): ChosenIds {
  const random = new RandomIdGenerator();
  let chosen: SpanIds | null = null;
  return {
    generateTraceId: () => chosen?.traceId ?? random.generateTraceId(),
    generateSpanId: () => chosen?.spanId ?? random.generateSpanId(),
    choose(ids, start) {
      chosen = ids;
      try {
        return start();
      } finally {
        chosen = null;
      }
    },
  };
}
