import { appendFile } from 'node:fs/promises';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';

/**
 * Appends spans to a file as OTLP JSON, one line per batch, in the format that the collector's `otlpjsonfile` receiver reads. All
 * processes of a machine may write to the same file. Only the owner can read the file, and it grows without limit, because it is
 * for debugging, not for storage.
 */
export function fileExporter(file: string): SpanExporter {
  return {
    export(spans, done) {
      const lines = Buffer.concat([JsonTraceSerializer.serializeRequest(spans) ?? Buffer.alloc(0), Buffer.from('\n')]);
      appendFile(file, lines, { mode: 0o600 }).then(
        () => done({ code: 0 }),
        (error: Error) => done({ code: 1, error }),
      );
    },
    shutdown: async () => {},
  };
}

/** Logs once when exporting fails and once when it works again; OpenTelemetry would log nothing, or every failure. */
export function logOutages(exporter: SpanExporter, log: Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        // The code 0 means success.
        if (result.code === 0) {
          if (lost > 0) log.info({ lost_spans: lost }, 'trace export works again');
          lost = 0;
        } else {
          if (lost === 0) {
            log.warn(
              { reason: failureReason(result.error) },
              'trace export failed; spans are dropped until it works again',
            );
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

/** Returns `ECONNREFUSED`, or the status of a response. The error's message quotes the response body, which must not be logged. */
function failureReason(error: (Error & { code?: string | number }) | undefined): string | number | undefined {
  return error?.code ?? error?.name;
}
