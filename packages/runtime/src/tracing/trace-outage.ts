import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../log.ts';

/** Says once when spans are not taken, and once when they are again; OpenTelemetry would say nothing, or each time. */
export function tellOnce(exporter: SpanExporter, log: Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        // `code` is 0 for success.
        if (result.code === 0) {
          if (lost > 0) log.info({ lost_spans: lost }, 'traces are taken again');
          lost = 0;
        } else {
          if (lost === 0) {
            log.warn({ reason: reasonOf(result.error) }, 'traces are not taken; they are dropped until they are');
          }
          lost += spans.length;
        }
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** `ECONNREFUSED`, or the status of an answer. Its message is the answer's own words, which are not for our log. */
function reasonOf(error: (Error & { code?: string | number }) | undefined): string | number | undefined {
  return error?.code ?? error?.name;
}
