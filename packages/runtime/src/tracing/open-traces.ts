import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { setSpanSource } from './trace.ts';
import { traceFile } from './trace-file.ts';
import { createChosenIds } from './trace-ids.ts';
import { tellOnce } from './trace-outage.ts';
import type { TracingOptions } from './tracing.ts';

/** For the last spans when a process stops, milliseconds: a collector that is there takes them in some dozens. */
const lastSpansWithinMs = 1_000;

/**
 * Sends spans to a collector, by OTLP over HTTP as JSON, or writes them into a file. They are kept in a list of bounded length (2,048 unless
 * `OTEL_BSP_MAX_QUEUE_SIZE` says otherwise) until they go, some hundreds at a time; what finds no room is dropped. So a
 * collector that is slow, or away, costs spans and nothing else.
 *
 * @returns what sends the last spans, within a second, and ends it.
 */
export function openTraces({ serviceName, collector, file, sampler, ratio, log }: TracingOptions): () => Promise<void> {
  const ids = createChosenIds();
  const exporters = [...(collector ? [new OTLPTraceExporter()] : []), ...(file === undefined ? [] : [traceFile(file)])];
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
    sampler: samplerOf(sampler, ratio),
    idGenerator: ids,
    spanProcessors: exporters.map((exporter) => new BatchSpanProcessor(tellOnce(exporter, log))),
  });
  // The context manager and the reader of `traceparent`; how code of ours makes spans is `trace.ts`.
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
    await Promise.race([sent, delay(lastSpansWithinMs, undefined, { ref: false })]);
  };
}

/**
 * A span whose parent is in this process goes with it. One whose parent is in another is decided on as a first one is: by
 * the trace's id, as that process did.
 */
function samplerOf(name: TracingOptions['sampler'], ratio: number): Sampler {
  const root = rootSamplerOf(name, ratio);
  return new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root });
}

function rootSamplerOf(name: TracingOptions['sampler'], ratio: number): Sampler {
  if (name.endsWith('always_on')) return new AlwaysOnSampler();
  if (name.endsWith('always_off')) return new AlwaysOffSampler();
  return new TraceIdRatioBasedSampler(ratio);
}
