import { findOwnPort } from '@capture/testing/network/own-port';
import { startPlatform } from '@capture/testing/processes/platform';
import { startService } from '@capture/testing/processes/processes';
import { waitUntil } from '@capture/testing/wait-until';

const jobs = ['api-gateway', 'capture-worker', 'webhook-dispatcher', 'egress-proxy'] as const;

export type Job = (typeof jobs)[number];

/** Returns the metrics of the real processes after a completed and a failed capture, a delivery and a refused request. */
export async function scrapeAll(): Promise<Record<Job, string>> {
  const listening = { METRICS_PORT: '0', OPERATOR_KEY: 'an-operator-key-of-more-than-32-characters' };
  const platform = await startPlatform({
    services: ['capture-worker', 'webhook-dispatcher'],
    pages: { '/page': '<!doctype html><p>page' },
    env: listening,
  });
  const proxy = await startService('egress-proxy', {
    ...listening,
    EGRESS_PROXY_TOKEN: 'a-token-of-more-than-thirty-two-characters',
    EGRESS_PROXY_PORT: String(await findOwnPort()),
  });
  try {
    await work(platform);
    const [, worker, dispatcher] = platform.processes;
    const addresses = [
      platform.url,
      ...[worker, dispatcher, proxy].map((process) => addressOf(process?.output() ?? '')),
    ];
    const texts = await Promise.all(addresses.map((address) => scrape(address, platform.operatorKey)));
    return Object.fromEntries(jobs.map((job, index) => [job, texts[index]])) as Record<Job, string>;
  } finally {
    await proxy.stop();
    await platform.close();
  }
}

async function work(platform: Awaited<ReturnType<typeof startPlatform>>): Promise<void> {
  const key = await platform.register();
  await platform.call(key, 'POST', '/api/v1/webhooks', {
    url: `${platform.receiver.url}/hook`,
    events: ['capture.completed'],
  });
  const capture = (url: string) => platform.call(key, 'POST', '/api/v1/screenshot', { url, response_type: 'json' });
  await capture(platform.pages.url('/page'));
  // No server listens on this port.
  await capture(`http://127.0.0.1:${await findOwnPort()}/`).catch(() => undefined);
  const [hit] = await platform.receiver.waitForHits(1);
  await waitUntil(
    async () => {
      const { deliveries } = await platform.call(platform.operatorKey, 'GET', '/api/operator/deliveries');
      return deliveries.some((delivery: { status: string }) => delivery.status === 'delivered');
    },
    { what: `${hit?.path} to be recorded` },
  );
  await refuseOne(platform);
}

/** Sends requests until one is refused. A new account may send only a few at once. */
async function refuseOne({ url, call }: Awaited<ReturnType<typeof startPlatform>>): Promise<void> {
  const { apiKey } = await call('', 'POST', '/api/auth/register', { email: 'hasty@example.com' });
  const refused = async () => {
    const responses = Array.from({ length: 10 }, () =>
      fetch(`${url}/api/v1/screenshot?url=http%3A%2F%2F127.0.0.1`, { headers: { 'x-api-key': apiKey } }),
    );
    return (await Promise.all(responses)).some(({ status }) => status === 429);
  };
  await waitUntil(refused, { what: 'a request to exceed its rate' });
}

function addressOf(output: string): string {
  const [, port] = /"ipc":\{"type":"metrics","port":(\d+)\}/.exec(output) ?? [];
  return `http://127.0.0.1:${port}`;
}

async function scrape(address: string, key: string): Promise<string> {
  const response = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${address} returned ${response.status}`);
  return response.text();
}
