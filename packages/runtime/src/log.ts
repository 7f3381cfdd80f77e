import { type DestinationStream, type Logger, pino } from 'pino';
import { traceFacts } from './tracing/trace.ts';

export type { Logger } from 'pino';

/**
 * What must never be written out, wherever it sits in what is logged. Logs hold facts about a unit of work, not its
 * request: nobody logs headers or options, and if somebody does, these names come out as `***`.
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
  'operatorKey',
  'operator_key',
  'password',
  'secret',
  'secretKey',
  'signingSecret',
];

/** A logger of JSON lines, one wide line a unit of work. */
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
