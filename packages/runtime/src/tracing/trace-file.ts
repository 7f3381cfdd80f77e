import { appendFile } from 'node:fs/promises';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';

/**
 * Appends spans to a file, a line of OTLP's JSON for each lot, as the collector's receiver `otlpjsonfile` reads them. All
 * processes of a machine may write the same one. It is nobody else's to read, and grows without end: for a look, not for
 * keeping.
 */
export function traceFile(file: string): SpanExporter {
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
