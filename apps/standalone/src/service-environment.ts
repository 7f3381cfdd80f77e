import { serviceSettings, tracingSettings } from '@capture/runtime/service-settings';

/** The processes that `npm start` runs in addition to Postgres and Redis. */
export const serviceNames = ['api-gateway', 'capture-worker', 'webhook-dispatcher', 'sample-page'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The variables that Node.js and the operating system's libraries read in every process. */
const systemVariables = ['NODE_ENV', 'LOG_LEVEL', 'PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'];

/** The variables that OpenTelemetry's library reads in every process that creates spans. */
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

/** The variables that the libraries of a service read, in addition to the service's settings. */
const libraryVariables: Readonly<Record<ServiceName, readonly string[]>> = {
  'api-gateway': [...platformVariables, ...storageCredentials, 'NODE_EXTRA_CA_CERTS'],
  'capture-worker': [...platformVariables, ...storageCredentials, 'PUPPETEER_EXECUTABLE_PATH'],
  'webhook-dispatcher': [...platformVariables, 'NODE_EXTRA_CA_CERTS'],
  'sample-page': [],
};

/**
 * Lists the variables that a process gets: its settings, and those that its libraries read. A process knows only what it needs,
 * so that a flaw in the process that opens untrusted pages reveals no operator key. The other processes get the digest of that
 * key, so that they can verify the key that Prometheus sends.
 */
function listVariables(service: ServiceName): string[] {
  const own = Object.keys(serviceSettings[service]);
  const known = service === 'api-gateway' ? own : own.filter((name) => name !== 'OPERATOR_KEY');
  return [...systemVariables, ...libraryVariables[service], ...known];
}

/**
 * The defaults of a process. A DNS look-up holds one of libuv's threads until the system's resolver times out, at least 10 s for
 * a name server that does not respond. With Node's default of four threads, four dead names of one client would block every other
 * client. A waiting thread costs about 10 kB.
 *
 * The C library gives these threads separate memory pools, up to eight for each processor, and never shrinks them. With two pools
 * a worker has 150 MB after 240 captures instead of 250.
 */
const defaults = { UV_THREADPOOL_SIZE: '128', MALLOC_ARENA_MAX: '2' };

/** Selects the environment of one process: the set variables that the process may know. */
export function serviceEnvironment(
  service: ServiceName,
  env: Record<string, string | undefined>,
): Record<string, string> {
  const result: Record<string, string> = service === 'sample-page' ? {} : { ...defaults };
  for (const name of listVariables(service)) {
    const value = env[name];
    if (value !== undefined && value !== '') result[name] = value;
  }
  return result;
}
