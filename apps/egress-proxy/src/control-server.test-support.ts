import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { AddressRules, OwnEndpoint } from '@capture/egress/address-rules';
import { EgressProxyClient } from '@capture/egress/egress-proxy-client';
import { noteOpen } from '@capture/testing/open-resources';
import { ControlServer, type ControlServerOptions } from './control-server.ts';

export const token = 'a-token-of-more-than-32-characters';

export interface TestControl {
  control: ControlServer;
  url: string;
  /** Connects as a worker with the right token, unless `options` has another token. */
  connect(options?: { token?: string; own?: readonly OwnEndpoint[] }): EgressProxyClient;
  close(): Promise<void>;
}

/** Opens the service on loopback, by default on a free port. */
export async function openTestControl(
  rulesWith: (own: readonly OwnEndpoint[]) => AddressRules,
  proxy: NonNullable<ControlServerOptions['proxy']> = {},
  port = 0,
): Promise<TestControl> {
  const log = { info: () => undefined, warn: () => undefined };
  const control = new ControlServer({ token, listenOn: '127.0.0.1', rulesWith, log, proxy });
  control.server.listen(port, '127.0.0.1');
  await once(control.server, 'listening');
  const url = `http://127.0.0.1:${(control.server.address() as AddressInfo).port}`;
  const clients: EgressProxyClient[] = [];
  const close = async () => {
    closed();
    for (const client of clients) await client.close();
    await control.drain(0);
    const ended = once(control.server, 'close');
    control.server.close();
    control.server.closeAllConnections();
    await ended;
  };
  const closed = noteOpen(`control server at ${url}`, close);
  return {
    control,
    url,
    connect(options) {
      const client = new EgressProxyClient({ url, token, ...options });
      clients.push(client);
      return client;
    },
    close,
  };
}
