import { serviceSettings, tracingSettings } from '@capture/runtime/service-settings';

/** The processes that `npm start` runs beside Postgres and Redis. */
export const serviceNames = ['api-gateway', 'capture-worker', 'webhook-dispatcher', 'sample-page'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** What Node.js and the operating system's libraries read in every process. */
const systemVariables = ['NODE_ENV', 'LOG_LEVEL', 'PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'];

/** What OpenTelemetry's library reads by itself in every process that makes spans. */
const openTelemetryVariables = [
  'OTEL_RESOURCE_ATTRIBUTES',
  ...['ENDPOINT', 'HEADERS', 'TIMEOUT', 'COMPRESSION', 'CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'].flatMap(
    (name) => [`OTEL_EXPORTER_OTLP_${name}`, `OTEL_EXPORTER_OTLP_TRACES_${name}`],
  ),
  ...['SCHEDULE_DELAY', 'EXPORT_TIMEOUT', 'MAX_QUEUE_SIZE', 'MAX_EXPORT_BATCH_SIZE'].map((name) => `OTEL_BSP_${name}`),
];

const platformVariables = [
  'UV_THREADPOOL_SIZE',
  'MALLOC_ARENA_MAX',
  ...Object.keys(tracingSettings),
  ...openTelemetryVariables,
];
const storageCredentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** What the libraries of a service read by themselves, beside the service's settings. */
const libraryVariables: Readonly<Record<ServiceName, readonly string[]>> = {
  'api-gateway': [...platformVariables, ...storageCredentials, 'NODE_EXTRA_CA_CERTS'],
  'capture-worker': [...platformVariables, ...storageCredentials, 'PUPPETEER_EXECUTABLE_PATH'],
  'webhook-dispatcher': [...platformVariables, 'NODE_EXTRA_CA_CERTS'],
  'sample-page': [],
};

/**
 * The variables that a process gets: its settings, and what its libraries read. It knows only what it needs, so that a
 * flaw in the process that opens untrusted pages reveals no operator key. To verify that key where Prometheus sends it,
 * the other processes get its digest.
 */
function variablesOf(service: ServiceName): string[] {
  const own = Object.keys(serviceSettings[service]);
  const known = service === 'api-gateway' ? own : own.filter((name) => name !== 'OPERATOR_KEY');
  return [...systemVariables, ...libraryVariables[service], ...known];
}

/**
 * Defaults of a process. A DNS lookup holds one of libuv's threads until the system's resolver times out, 10 s and more
 * for a name server that does not respond; with Node's default of four threads, four dead names of one client would
 * block every other client. A waiting thread costs about 10 kB.
 *
 * The C library gives these threads memory pools of their own, up to eight for each processor, and keeps what each once
 * needed. With two pools a worker has 150 MB after 240 captures in place of 250.
 */
const defaults = { UV_THREADPOOL_SIZE: '128', MALLOC_ARENA_MAX: '2' };

/** The environment of one process: of all variables that are set, those that it may know. */
export function serviceEnvironment(
  service: ServiceName,
  env: Record<string, string | undefined>,
): Record<string, string> {
  const result: Record<string, string> = service === 'sample-page' ? {} : { ...defaults };
  for (const name of variablesOf(service)) {
    const value = env[name];
    if (value !== undefined && value !== '') result[name] = value;
  }
  return result;
}
