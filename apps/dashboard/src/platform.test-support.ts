import { chmodSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createTestDatabase } from '@capture/testing/database';
import { openHttpsReceiver } from '@capture/testing/https-receiver';
import { findOwnPort } from '@capture/testing/own-port';
import { openPageServer } from '@capture/testing/page-server';
import { startService } from '@capture/testing/processes';
import { createTestRedis } from '@capture/testing/redis';
import { makeRunFolder, makeTestFolder, required } from '@capture/testing/test-run';
import { waitFor } from '@capture/testing/wait-for';

const operatorKey = 'an-operator-key-of-more-than-32-characters';

/** What is captured: a page with a picture that never comes and an error in its console. */
const shop = `<!doctype html><title>The shop</title><body style="background:#dff"><h1>Shop</h1>
<img src="/missing.png"><script>console.error('the basket is empty')</script>`;

export interface PlatformOptions {
  form?: 'A' | 'B';
  /** Those of the gateway alone unless they are named. */
  services?: readonly ('capture-worker' | 'webhook-dispatcher')[];
  env?: Record<string, string>;
}

/** The real services with a database, a page to capture and a receiver of their own. */
export async function startPlatform({ form = 'B', services = [], env = {} }: PlatformOptions = {}) {
  const closings: (() => unknown)[] = [];
  const database = await createTestDatabase();
  closings.push(() => database.drop());
  const redis = await createTestRedis();
  closings.push(() => redis.close());
  const pages = await openPageServer({ '/shop': shop, '/missing.png': { status: 404 } });
  closings.push(() => pages.close());
  const receiver = await openHttpsReceiver();
  closings.push(() => receiver.close());
  // The worker's browser runs as somebody else, to whom a test's own folders are closed.
  const place = makeRunFolder();
  chmodSync(place, 0o755);
  closings.push(() => rmSync(place, { recursive: true, force: true, maxRetries: 10 }));
  const port = await findOwnPort();
  const common = {
    CONTRACT_FORM: form,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    STORAGE_URL: pathToFileURL(makeTestFolder('dashboard')).href,
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
    shop: pages.url('/shop'),
    receiver,
    call,
    /** The key of a new account on a plan that allows many captures a second. */
    async register(): Promise<string> {
      registered += 1;
      const email = `customer-${registered}@example.com`;
      const { apiKey } = await call('', 'POST', '/api/auth/register', { email });
      const { accounts } = await call(operatorKey, 'GET', `/api/operator/accounts?email=${email}`);
      await call(operatorKey, 'PATCH', `/api/operator/accounts/${accounts[0].id}`, { plan: 'business' });
      return apiKey;
    },
    async waitForBatch(key: string, id: string): Promise<void> {
      const ended = async () => (await call(key, 'GET', `/api/v1/batches/${id}`)).status === 'completed';
      await waitFor(ended, { what: `${id} to end`, timeoutMs: 120_000 });
    },
    async close() {
      for (const close of closings.reverse()) await close();
    },
  };
}

export type PlatformUnderTest = Awaited<ReturnType<typeof startPlatform>>;
