import { type DestinationStream, type Logger, pino } from 'pino';
import { traceFacts } from '../tracing/trace.ts';

export type { Logger } from 'pino';

/**
 * The names whose values are never logged, at any depth. Logs contain facts about a unit of work, not its request. No code should
 * log headers or options, and if it does, their values appear as `***`.
 */
const secretNames = [
  'apiKey',
  'api_key',
  'authorization',
  'Authorization',
  'basic_auth',
  'cookie',
  'cookies',
  'headers',
  'link_token',
  'operatorKey',
  'operator_key',
  'password',
  'secret',
  'secretKey',
  'signingSecret',
];

/** Creates a logger that writes JSON, one wide line per unit of work. */
export function createLogger(name: string, options: { level?: string; destination?: DestinationStream } = {}): Logger {
  return pino(
    {
      name,
      level: options.level ?? 'info',
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceFacts,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secretNames.flatMap((secret) => [secret, `*.${secret}`, `*.*.${secret}`]),
        censor: '***',
      },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
}
