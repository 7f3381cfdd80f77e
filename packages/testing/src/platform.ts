import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { createTestDatabase } from './database.ts';
import { openHttpsReceiver } from './https-receiver.ts';
import { findOwnPort } from './own-port.ts';
import { openPageServer, type Page } from './page-server.ts';
import { startService } from './processes.ts';
import { createTestRedis } from './redis.ts';
import { makeRunFolder, makeTestFolder, required } from './test-run.ts';

const operatorKey = 'an-operator-key-of-more-than-32-characters';

export interface PlatformOptions {
  form?: 'A' | 'B';
  /** Those of the gateway alone unless they are named. */
  services?: readonly ('capture-worker' | 'webhook-dispatcher')[];
  /** What there is to capture. */
  pages?: Record<string, Page>;
  env?: Record<string, string>;
}

/** The built services with a database, pages to capture and a receiver of their own. */
export async function startPlatform({ form = 'B', services = [], pages = {}, env = {} }: PlatformOptions = {}) {
  const closings: (() => unknown)[] = [];
  const database = await createTestDatabase();
  closings.push(() => database.drop());
  const redis = await createTestRedis();
  closings.push(() => redis.close());
  const pageServer = await openPageServer(pages);
  closings.push(() => pageServer.close());
  const receiver = await openHttpsReceiver();
  closings.push(() => receiver.close());
  // The worker's browser runs as somebody else, to whom a test's own folders are closed.
  const place = makeRunFolder();
  chmodSync(place, 0o755);
  closings.push(() => rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  const port = await findOwnPort();
  const common = {
    CONTRACT_FORM: form,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(makeTestFolder('platform')).href,
    SECRET_KEY: 'a-secret-key-of-more-than-32-characters',
    EGRESS_ALLOW: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: receiver.authority.file,
    TMPDIR: place,
    LOG_LEVEL: 'warn',
    PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'),
    CAPTURE_CONCURRENCY: '2',
    ...env,
  };
  const own = { PORT: String(port), OPERATOR_KEY: operatorKey, REGISTRATIONS_PER_HOUR: '1000' };
  const started = await Promise.all([
    startService('api-gateway', { ...common, ...own }),
    ...services.map((service) => startService(service, common)),
  ]);
  closings.push(() => Promise.all(started.map((service) => service.stop())));

  const url = `http://127.0.0.1:${port}`;
  const call = async (key: string, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  let registered = 0;
  return {
    url,
    operatorKey,
    pages: pageServer,
    receiver,
    /** The gateway first, then `services` in their order. */
    processes: started,
    /** A request as the owner of a key, of which anything but 2xx is an error. */
    call,
    /** The key of a new account, on a plan that allows many captures a second unless another is named. */
    async register(plan = 'business'): Promise<string> {
      registered += 1;
      const email = `customer-${registered}@example.com`;
      const { apiKey } = await call('', 'POST', '/api/auth/register', { email });
      const { accounts } = await call(operatorKey, 'GET', `/api/operator/accounts?email=${email}`);
      await call(operatorKey, 'PATCH', `/api/operator/accounts/${accounts[0].id}`, { plan });
      return apiKey;
    },
    async close() {
      for (const close of closings.reverse()) await close();
    },
  };
}

export type PlatformUnderTest = Awaited<ReturnType<typeof startPlatform>>;
