import type { Logger } from 'pino';
import type { z } from 'zod';
import { readConfig } from '../config.ts';
import { tracingSettings } from '../service-settings.ts';

type TracingConfig = z.output<z.ZodObject<typeof tracingSettings>>;

/**
 * Turns tracing on for this process if its environment has a destination for traces. Otherwise OpenTelemetry's SDK is not loaded,
 * and no span is created.
 *
 * @returns a function that sends the last spans and turns tracing off; null if tracing is off.
 * @throws {ConfigError}
 */
export async function startTracing(
  service: string,
  env: Record<string, string | undefined>,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<(() => Promise<void>) | null> {
  const config = readConfig(tracingSettings, env);
  const file = config.OTEL_SDK_DISABLED === 'true' ? undefined : config.TRACES_FILE;
  const collector = hasCollector(config);
  if (!collector && file === undefined) return null;
  const { openTraces } = await import('./open-traces.ts');
  return openTraces({
    serviceName: config.OTEL_SERVICE_NAME ?? service,
    collector,
    file,
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
}

function hasCollector(config: TracingConfig): boolean {
  if (config.OTEL_SDK_DISABLED === 'true' || config.OTEL_TRACES_EXPORTER === 'none') return false;
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint !== undefined || config.OTEL_TRACES_EXPORTER === 'otlp';
}
