/** The processes that `npm start` keeps beside Postgres and Redis. */
export const serviceNames = ['api-gateway', 'capture-worker', 'webhook-dispatcher', 'sample-page'] as const;
export type ServiceName = (typeof serviceNames)[number];

const all: readonly ServiceName[] = serviceNames;
const platform = ['api-gateway', 'capture-worker', 'webhook-dispatcher'] as const;

/** OpenTelemetry's, each of which its library reads in every process that makes spans. */
const tracing = [
  'TRACES_FILE',
  'OTEL_SDK_DISABLED',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_EXPORTER',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  ...['ENDPOINT', 'HEADERS', 'TIMEOUT', 'COMPRESSION', 'CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'].flatMap(
    (name) => [`OTEL_EXPORTER_OTLP_${name}`, `OTEL_EXPORTER_OTLP_TRACES_${name}`],
  ),
  ...['SCHEDULE_DELAY', 'EXPORT_TIMEOUT', 'MAX_QUEUE_SIZE', 'MAX_EXPORT_BATCH_SIZE'].map((name) => `OTEL_BSP_${name}`),
];

/**
 * Who gets which variable: a process knows only what it needs, so that a fault in the one that opens strangers' pages
 * gives away no key to the operator's door. A variable that is not here reaches none of them.
 */
const readers: Record<string, readonly ServiceName[]> = {
  ...Object.fromEntries(tracing.map((name) => [name, platform])),
  NODE_ENV: all,
  LOG_LEVEL: all,
  PATH: all,
  HOME: all,
  TMPDIR: all,
  LANG: all,
  TZ: all,
  UV_THREADPOOL_SIZE: platform,
  SAMPLE_PAGE_PORT: ['sample-page'],

  PORT: platform,
  PUBLIC_URL: platform,
  CONTRACT_FORM: platform,
  DATABASE_URL: platform,
  REDIS_URL: platform,
  // Opens what clients confided (cookies, signing secrets) and signs the links in events.
  SECRET_KEY: platform,
  SECRET_KEY_PREVIOUS: platform,
  EGRESS_ALLOW: platform,
  EGRESS_DENY: platform,

  STORAGE_URL: ['api-gateway', 'capture-worker'],
  FILE_RETENTION_DAYS: ['api-gateway', 'capture-worker'],
  AWS_ACCESS_KEY_ID: ['api-gateway', 'capture-worker'],
  AWS_SECRET_ACCESS_KEY: ['api-gateway', 'capture-worker'],
  AWS_SESSION_TOKEN: ['api-gateway', 'capture-worker'],

  OPERATOR_KEY: ['api-gateway'],
  // They recognise the key where Prometheus brings it, and do not know it.
  OPERATOR_KEY_SHA256: ['capture-worker', 'webhook-dispatcher'],
  METRICS_PORT: ['capture-worker', 'webhook-dispatcher'],
  METRICS_HOST: ['capture-worker', 'webhook-dispatcher'],
  TRUST_PROXY: ['api-gateway'],
  REGISTRATIONS_PER_HOUR: ['api-gateway'],
  BATCH_MAX_ITEMS: ['api-gateway'],
  SMTP_URL: ['api-gateway'],

  CAPTURE_CONCURRENCY: ['capture-worker'],
  PNG_ENCODER: ['capture-worker'],
  AD_LISTS_DIR: ['capture-worker'],
  EGRESS_PROXY_URL: ['capture-worker'],
  EGRESS_PROXY_TOKEN: ['capture-worker'],
  PUPPETEER_EXECUTABLE_PATH: ['capture-worker'],
  CHROMIUM_SANDBOX: ['capture-worker'],

  WEBHOOK_RETRY_DELAYS: ['api-gateway', 'webhook-dispatcher'],
  WEBHOOK_TIMEOUT_MS: ['api-gateway', 'webhook-dispatcher'],
  NODE_EXTRA_CA_CERTS: ['api-gateway', 'webhook-dispatcher'],
};

/**
 * What a process has unless it is set otherwise. A look-up of a name holds one of libuv's threads until the system's
 * resolver gives up, 10 s and more for a name server that is silent; with Node's four of them, four dead names of one client
 * would hold up everybody's. A thread that waits costs some 10 kB.
 */
const defaults: Partial<Record<ServiceName, Record<string, string>>> = Object.fromEntries(
  platform.map((service) => [service, { UV_THREADPOOL_SIZE: '128' }]),
);

/** The environment of one process: of all that is set, the variables that are its to know. */
export function serviceEnvironment(
  service: ServiceName,
  given: Record<string, string | undefined>,
): Record<string, string> {
  const own: Record<string, string> = { ...defaults[service] };
  for (const [name, services] of Object.entries(readers)) {
    const value = given[name];
    if (value !== undefined && value !== '' && services.includes(service)) own[name] = value;
  }
  return own;
}
