import { loopbackHosts, oddUrls, privateHosts } from '@capture/testing/network/hostile-addresses';
import { openVictim, type Victim } from '@capture/testing/network/victim';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestGateway } from '../../test-gateway.ts';
import { type Client, newClient, startWebhookGateway } from '../../webhooks/webhooks.test-support.ts';

const events = ['capture.completed'];

describe.each([
  { form: 'A', field: 'webhook_url' },
  { form: 'B', field: 'url' },
] as const)('a receiver that is not public, form $form', ({ form, field }) => {
  let gateway: TestGateway;
  let close: () => Promise<void>;
  let client: Client;
  let victim: Victim;

  beforeAll(async () => {
    victim = await openVictim(['receiver']);
    ({ gateway, close } = await startWebhookGateway(form, { settings: { EGRESS_ALLOW: '' } }));
    client = await newClient(gateway, 'hostile@example.com');
  });
  afterEach(async () => {
    expect(await victim.hits()).toEqual([]);
  });
  afterAll(async () => {
    await close();
    await victim.close();
  });

  const urls = () => {
    const port = victim.port('receiver');
    const hosts = [...loopbackHosts, ...privateHosts].map((host) => `https://${host}:${port}/hook`);
    return [...hosts, ...oddUrls('https', port), `http://127.0.0.1:${port}/`, 'file:///etc/passwd', 'ftp://127.0.0.1/'];
  };
  /** Returns the URLs that get another status. */
  async function withOtherStatus(status: number, call: (url: string) => Promise<{ status: number; body: unknown }>) {
    const otherwise: [string, number, unknown][] = [];
    for (const url of urls()) {
      const response = await call(url);
      if (response.status !== status) otherwise.push([url, response.status, response.body]);
    }
    return otherwise;
  }

  it('400: is refused by POST /api/v1/webhooks', async () => {
    expect(await withOtherStatus(400, (url) => client.call('post').send({ [field]: url, events }))).toEqual([]);
    const { body } = await client
      .call('post')
      .send({ [field]: 'https://[::ffff:7f00:1]/', events })
      .expect(400);
    expect(body).toMatchObject({ error_code: 'INVALID_REQUEST', details: [{ field }] });
  });

  it('400: is refused with a capture', async () => {
    const capture = (url: string) =>
      gateway
        .as(client.key)
        .post('/api/v1/screenshot')
        .send({ url: 'https://example.com/', webhook_url: url, async: true });
    expect(await withOtherStatus(400, capture)).toEqual([]);
  });
});

describe('a registered receiver that is no longer public', () => {
  it('200: its test reports it as blocked, and it is not called', async () => {
    const victim = await openVictim(['receiver']);
    const port = victim.port('receiver');
    // The URL is public at first; the test then changes it to a URL that is not.
    const { gateway, close } = await startWebhookGateway('B', {
      settings: { EGRESS_ALLOW: '10.9.9.9/32' },
    });
    const client = await newClient(gateway, 'hostile@example.com');
    const id = await client.register('https://10.9.9.9/');
    const urls = [...loopbackHosts, ...privateHosts].map((host) => `https://${host}:${port}/`);
    const outcomes = new Set<string>();
    for (const url of urls.filter((text) => URL.canParse(text))) {
      await gateway.database.prisma.webhookEndpoint.update({ where: { id }, data: { url } });
      const { body } = await client.call('post', `/${id}/test`).expect(200);
      outcomes.add(JSON.stringify([body.delivered, body.status, body.error]));
    }
    expect([...outcomes]).toEqual(['[false,null,"blocked"]']);
    expect(await victim.hits()).toEqual([]);
    await close();
    await victim.close();
  });
});
