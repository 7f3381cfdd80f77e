import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-node';
import type { SpanIds } from './trace-of.ts';

/** Random ids, but for the span that is just being started with ids of its own. */
export interface ChosenIds extends IdGenerator {
  /** What `start` starts gets these ids; it must start one span, at once. */
  choose<Span>(ids: SpanIds, start: () => Span): Span;
}

/**
 * OpenTelemetry lets a generator say which ids a span gets, but not by whose wish; starting a span waits for nothing, so
 * the wish can be left here for it.
 */
export function createChosenIds(): ChosenIds {
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
