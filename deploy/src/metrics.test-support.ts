import { findOwnPort } from '@capture/testing/own-port';
import { startPlatform } from '@capture/testing/platform';
import { startService } from '@capture/testing/processes';
import { waitUntil } from '@capture/testing/wait-until';

const jobs = ['api-gateway', 'capture-worker', 'webhook-dispatcher', 'egress-proxy'] as const;

export type Job = (typeof jobs)[number];

/** The real processes, with a capture that completed, one that failed, a delivery and a refusal behind them. */
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
  // Nobody listens there.
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

/** New accounts may send a request or a few at once. */
async function refuseOne({ url, call }: Awaited<ReturnType<typeof startPlatform>>): Promise<void> {
  const { apiKey } = await call('', 'POST', '/api/auth/register', { email: 'hasty@example.com' });
  const refused = async () => {
    const asks = Array.from({ length: 10 }, () =>
      fetch(`${url}/api/v1/screenshot?url=http%3A%2F%2F127.0.0.1`, { headers: { 'x-api-key': apiKey } }),
    );
    return (await Promise.all(asks)).some(({ status }) => status === 429);
  };
  await waitUntil(refused, { what: 'a request to be refused for its rate' });
}

function addressOf(output: string): string {
  const [, port] = /"ipc":\{"type":"metrics","port":(\d+)\}/.exec(output) ?? [];
  return `http://127.0.0.1:${port}`;
}

async function scrape(address: string, key: string): Promise<string> {
  const response = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return response.text();
}
