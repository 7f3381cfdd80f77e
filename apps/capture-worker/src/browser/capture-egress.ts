import type { AddressRules, OwnEndpoint } from '@capture/egress/address-rules';
import { type OpenCaptureProxy, openCaptureProxy } from '@capture/egress/capture-proxy';
import { EgressProxyClient } from '@capture/egress/egress-proxy-client';
import { ConfigError } from '@capture/runtime/config';

/** How long to wait for an egress proxy that starts at the same time as this worker. */
const serviceWithinMs = 15_000;

/** How this worker's pages reach the network. */
export interface CaptureEgress {
  openProxy: OpenCaptureProxy;
  /** Host of the proxies as Chromium resolves it; null for this machine. */
  proxyHost: string | null;
  close(): Promise<void>;
}

/**
 * Opens the pages' proxies in this process, or through the egress proxy that `EGRESS_PROXY_URL` names.
 *
 * @throws {ConfigError} when the egress proxy has no token.
 * @throws {Error} one sentence, when the egress proxy cannot be reached.
 */
export async function openCaptureEgress(
  settings: { EGRESS_PROXY_URL?: string | undefined; EGRESS_PROXY_TOKEN?: string | undefined },
  { rules, own, withinMs = serviceWithinMs }: { rules: AddressRules; own: readonly OwnEndpoint[]; withinMs?: number },
): Promise<CaptureEgress> {
  const { EGRESS_PROXY_URL: url, EGRESS_PROXY_TOKEN: token } = settings;
  if (url === undefined) {
    const openProxy: OpenCaptureProxy = (options) => openCaptureProxy(rules, options);
    return { openProxy, proxyHost: null, close: async () => {} };
  }
  if (token === undefined) throw new ConfigError('EGRESS_PROXY_TOKEN: is missing, and EGRESS_PROXY_URL needs it');
  const client = new EgressProxyClient({ url, token, own });
  try {
    await client.ready(withinMs);
  } catch (error) {
    await client.close();
    throw error;
  }
  return { openProxy: client.open, proxyHost: client.host, close: () => client.close() };
}
