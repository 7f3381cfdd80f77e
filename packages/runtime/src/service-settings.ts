import { isIP } from 'node:net';
import { z } from 'zod';
import { integer, settings } from './settings.ts';

/** The settings of tracing, which every service reads. */
export const tracingSettings = {
  OTEL_SDK_DISABLED: settings.OTEL_SDK_DISABLED,
  OTEL_TRACES_EXPORTER: settings.OTEL_TRACES_EXPORTER,
  OTEL_EXPORTER_OTLP_ENDPOINT: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  TRACES_FILE: settings.TRACES_FILE,
  OTEL_SERVICE_NAME: settings.OTEL_SERVICE_NAME,
  OTEL_TRACES_SAMPLER: settings.OTEL_TRACES_SAMPLER,
  OTEL_TRACES_SAMPLER_ARG: settings.OTEL_TRACES_SAMPLER_ARG,
};

export const listenerSettings = {
  METRICS_PORT: settings.METRICS_PORT,
  METRICS_HOST: settings.METRICS_HOST,
  OPERATOR_KEY: settings.OPERATOR_KEY.optional(),
  OPERATOR_KEY_SHA256: settings.OPERATOR_KEY_SHA256,
};

const platformSettings = {
  PORT: settings.PORT,
  CONTRACT_FORM: settings.CONTRACT_FORM,
  DATABASE_URL: settings.DATABASE_URL,
  REDIS_URL: settings.REDIS_URL,
  // The key decrypts secret options and signing secrets, and signs the file links in events.
  SECRET_KEY: settings.SECRET_KEY,
  SECRET_KEY_PREVIOUS: settings.SECRET_KEY_PREVIOUS,
  EGRESS_ALLOW: settings.EGRESS_ALLOW,
  EGRESS_DENY: settings.EGRESS_DENY,
};

const planSettings = { PLANS_FILE: settings.PLANS_FILE, DEFAULT_PLAN: settings.DEFAULT_PLAN };

/** The settings that each service reads when it starts, in addition to `LOG_LEVEL` and the settings of tracing. */
export const serviceSettings = {
  'api-gateway': {
    ...platformSettings,
    ...planSettings,
    PUBLIC_URL: settings.PUBLIC_URL,
    STORAGE_URL: settings.STORAGE_URL,
    OPERATOR_KEY: settings.OPERATOR_KEY,
    TRUST_PROXY: settings.TRUST_PROXY,
    REGISTRATIONS_PER_HOUR: settings.REGISTRATIONS_PER_HOUR,
    SMTP_URL: settings.SMTP_URL,
    MAIL_FROM: settings.MAIL_FROM,
    BATCH_MAX_ITEMS: settings.BATCH_MAX_ITEMS,
    FILE_RETENTION_DAYS: settings.FILE_RETENTION_DAYS,
    WEBHOOK_TIMEOUT_MS: settings.WEBHOOK_TIMEOUT_MS,
    CAPTURE_RETENTION_DAYS: settings.CAPTURE_RETENTION_DAYS,
  },
  'capture-worker': {
    ...platformSettings,
    ...planSettings,
    ...listenerSettings,
    PUBLIC_URL: settings.PUBLIC_URL,
    STORAGE_URL: settings.STORAGE_URL,
    AD_LISTS_DIR: settings.AD_LISTS_DIR,
    EGRESS_PROXY_URL: settings.EGRESS_PROXY_URL,
    EGRESS_PROXY_TOKEN: settings.EGRESS_PROXY_TOKEN.optional(),
    CAPTURE_CONCURRENCY: settings.CAPTURE_CONCURRENCY,
    PNG_ENCODER: settings.PNG_ENCODER,
    FILE_RETENTION_DAYS: settings.FILE_RETENTION_DAYS,
    CHROMIUM_SANDBOX: settings.CHROMIUM_SANDBOX,
    USER_AGENT: settings.USER_AGENT,
    ISOLATION: settings.ISOLATION,
    WARM_PAGES: settings.WARM_PAGES,
  },
  'webhook-dispatcher': {
    ...platformSettings,
    ...listenerSettings,
    WEBHOOK_RETRY_DELAYS: settings.WEBHOOK_RETRY_DELAYS,
    WEBHOOK_TIMEOUT_MS: settings.WEBHOOK_TIMEOUT_MS,
    DELIVERY_RETENTION_DAYS: settings.DELIVERY_RETENTION_DAYS,
  },
  'egress-proxy': {
    ...listenerSettings,
    EGRESS_ALLOW: settings.EGRESS_ALLOW,
    EGRESS_DENY: settings.EGRESS_DENY,
    EGRESS_PROXY_TOKEN: settings.EGRESS_PROXY_TOKEN,
    // In a container network the value is 0.0.0.0, because only workers are on that network.
    EGRESS_PROXY_HOST: z.string().refine(isIP, 'must be an IP address').default('127.0.0.1'),
    EGRESS_PROXY_PORT: integer(0, 65_535).default(3001),
  },
  'sample-page': {
    SAMPLE_PAGE_PORT: settings.PORT,
  },
} as const;
