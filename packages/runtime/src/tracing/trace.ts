import {
  type Attributes,
  type Context,
  context,
  type Span as OtelSpan,
  type SpanOptions as OtelSpanOptions,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { type SpanIds, traceOf } from './trace-of.ts';

// This module records the spans of the platform's code. While tracing is off (see `tracing.ts`), its functions do nothing.

/** Creates spans while tracing is on. */
export interface SpanSource {
  start(name: string, options: OtelSpanOptions, parent: Context): OtelSpan;
  /** Starts a span without a parent, with these ids. */
  startRoot(name: string, options: OtelSpanOptions, ids: SpanIds | null): OtelSpan;
}

let source: SpanSource | null = null;

/** Sets the source of spans; null turns tracing off. */
export function setSpanSource(next: SpanSource | null): void {
  source = next;
}

export interface SpanOptions {
  /** The span's role between processes; internal by default. */
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  /**
   * The attributes are named by OpenTelemetry's semantic conventions, or else under `capture.`. They contain only hosts, ids,
   * codes and numbers: no URLs, no headers, and no messages, which may quote them.
   */
  attributes?: Attributes;
  /** The start time, now by default. A number is a `performance.now()`. */
  startedAt?: Date | number;
}

/** A timed operation and its attributes. */
export interface Span {
  note(attributes: Attributes): void;
  /** Marks the operation as failed. @param code an error code or class, never a message. */
  failed(code: string): void;
  /** Links the trace of another capture or batch. */
  link(id: string): void;
  /** Runs `work` in the span: spans started there are its children. */
  run<Result>(work: () => Result): Result;
  end(at?: Date | number): void;
}

export const noSpan: Span = { note() {}, failed() {}, link() {}, run: (work) => work(), end() {} };

/**
 * Starts the root span of a request's trace, whose ids are derived from `id`.
 *
 * @param traceparent the client's trace. It is linked, not continued, so that no client decides which trace a request belongs to,
 * or whether the trace is kept.
 */
export function startTrace(id: string, name: string, options: SpanOptions, traceparent?: string): Span {
  if (!source) return noSpan;
  const span = source.startRoot(name, toOtel(options), traceOf(id));
  if (traceparent !== undefined) {
    const theirs = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
    if (theirs) span.addLink({ context: theirs });
  }
  return wrap(span);
}

/** Starts a span in the trace of `id`, which another process started, as a child of that trace's root span. */
export function startSpanOf(id: string, name: string, options: SpanOptions): Span {
  const ids = source && traceOf(id);
  if (!source || !ids) return noSpan;
  return wrap(source.start(name, toOtel(options), trace.setSpanContext(ROOT_CONTEXT, remote(ids))));
}

/** Records an operation that already ended as `startSpanOf` would. */
export function noteSpanOf(
  id: string,
  name: string,
  options: SpanOptions & { startedAt: Date | number },
  endedAt: Date | number,
): void {
  startSpanOf(id, name, options).end(endedAt);
}

/** Records a finished operation that belongs to many traces, in a separate trace. */
export function noteTrace(name: string, options: SpanOptions & { startedAt: Date | number }): void {
  source?.startRoot(name, toOtel(options), null).end();
}

/** Records a finished span as a child of the current span. */
export function noteSpan(name: string, options: SpanOptions & { startedAt: Date | number }, endedAt: Date | number) {
  if (source && trace.getActiveSpan()) source.start(name, toOtel(options), context.active()).end(endedAt);
}

/** Runs `work` in a child of the current span; outside a trace it only runs the work. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (!source || !trace.getActiveSpan()) return work(noSpan);
  const span = wrap(source.start(name, toOtel(options), context.active()));
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.failed(errorCode(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The trace fields of a log line; none outside a trace, or if the trace is not kept. */
export function traceFacts(): { trace_id?: string; span_id?: string } {
  if (!source) return {};
  const current = trace.getActiveSpan()?.spanContext();
  if (!current || (current.traceFlags & TraceFlags.SAMPLED) === 0) return {};
  return { trace_id: current.traceId, span_id: current.spanId };
}

/** Our errors have a `code` (`CAPTURE_TIMEOUT`) or a `kind` (`crashed`), Node's errors have a `code` (`ECONNREFUSED`). */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  const { code, kind } = error as { code?: unknown; kind?: unknown };
  return (
    ([code, kind].find((word) => typeof word === 'string' && /^\w{1,64}$/.test(word)) as string | undefined) ??
    error.name
  );
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

function toOtel({ kind, attributes, startedAt }: SpanOptions): OtelSpanOptions {
  return {
    kind: kind ? kinds[kind] : SpanKind.INTERNAL,
    ...(attributes && { attributes }),
    ...(startedAt !== undefined && { startTime: startedAt }),
  };
}

/** The sampled flag is not used, because every process decides by the trace id whether a trace is kept. */
const remote = (ids: SpanIds) => ({ ...ids, traceFlags: TraceFlags.NONE, isRemote: true });

function wrap(span: OtelSpan): Span {
  return {
    note: (attributes) => void span.setAttributes(attributes),
    failed(code) {
      span.setAttribute('error.type', code);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    link(id) {
      const ids = traceOf(id);
      if (ids) span.addLink({ context: remote(ids) });
    },
    run: (work) => context.with(trace.setSpan(context.active(), span), work),
    end(at) {
      if (span.isRecording()) span.end(at);
    },
  };
}
