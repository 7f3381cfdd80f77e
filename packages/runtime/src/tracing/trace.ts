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

// What the code of the platform notes of its way. While tracing is off (see `tracing.ts`) nothing of it does anything.

/** What makes spans, once tracing is on. */
export interface SpanSource {
  start(name: string, options: OtelSpanOptions, parent: Context): OtelSpan;
  /** One without a parent, that has these ids. */
  startRoot(name: string, options: OtelSpanOptions, ids: SpanIds | null): OtelSpan;
}

let source: SpanSource | null = null;

/** Where spans go from now on; null for nowhere. */
export function setSpanSource(next: SpanSource | null): void {
  source = next;
}

export interface SpanOptions {
  /** Where it stands between processes; a step within one unless given. */
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  /**
   * By OpenTelemetry's semantic conventions where they have a name for it, else under `capture.`. Hosts, ids, codes and
   * figures: no URLs, no headers, no messages, which may quote either.
   */
  attributes?: Attributes;
  /** When it began: now unless given. A number is `performance.now()`. */
  startedAt?: Date | number;
}

/** One thing that takes its time, and what is learnt of it. */
export interface Span {
  note(attributes: Attributes): void;
  /** It came to nothing. @param code a word of ours or a class of errors, never a message. */
  failed(code: string): void;
  /** It has to do with the trace of another capture or batch. */
  link(id: string): void;
  /** Does `work` within it: spans that begin there are its children. */
  run<Result>(work: () => Result): Result;
  end(at?: Date | number): void;
}

/** Of what is not traced. */
export const noSpan: Span = { note() {}, failed() {}, link() {}, run: (work) => work(), end() {} };

/**
 * The first span of a request's trace, whose ids are read off `id`.
 *
 * @param traceparent what the client says its own trace is: it is linked to, not continued, so that no stranger says
 * which trace something belongs to, or that it is to be kept.
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

/** A span of the trace of `id`, which another process has begun: a child of that trace's first span. */
export function startSpanOf(id: string, name: string, options: SpanOptions): Span {
  const ids = source && traceOf(id);
  if (!source || !ids) return noSpan;
  return wrap(source.start(name, toOtel(options), trace.setSpanContext(ROOT_CONTEXT, remote(ids))));
}

/** As `startSpanOf`, of what has passed already. */
export function noteSpanOf(
  id: string,
  name: string,
  options: SpanOptions & { startedAt: Date | number },
  endedAt: Date | number,
): void {
  startSpanOf(id, name, options).end(endedAt);
}

/** A span of something that belongs to many traces, and so to none of them: it has one of its own, and is over. */
export function noteTrace(name: string, options: SpanOptions & { startedAt: Date | number }): void {
  source?.startRoot(name, toOtel(options), null).end();
}

/** A span that has passed already, a child of the present one. */
export function noteSpan(name: string, options: SpanOptions & { startedAt: Date | number }, endedAt: Date | number) {
  if (source && trace.getActiveSpan()) source.start(name, toOtel(options), context.active()).end(endedAt);
}

/** Does `work` in a span, a child of the present one; outside of every trace it only does the work. */
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
    span.failed(codeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** What a log line says of the trace that it belongs to; nothing where there is none, or it is not kept. */
export function traceFacts(): { trace_id?: string; span_id?: string } {
  if (!source) return {};
  const present = trace.getActiveSpan()?.spanContext();
  if (!present || (present.traceFlags & TraceFlags.SAMPLED) === 0) return {};
  return { trace_id: present.traceId, span_id: present.spanId };
}

/** Errors of ours have a `code` (`CAPTURE_TIMEOUT`) or a `kind` (`crashed`), those of Node a `code` (`ECONNREFUSED`). */
function codeOf(error: unknown): string {
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

/** Whether a trace is kept is read off its id in every process: the flag that travels elsewhere says nothing here. */
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
