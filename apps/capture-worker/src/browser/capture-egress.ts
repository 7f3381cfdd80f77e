import type { AddressRules, OwnEndpoint } from '@capture/egress/address-rules';
import { type OpenCaptureProxy, openCaptureProxy } from '@capture/egress/capture-proxy';
import { EgressProxyClient } from '@capture/egress/egress-proxy-client';
import { ConfigError } from '@capture/runtime/config';

/** A service that starts together with this worker is there within this. */
const serviceWithinMs = 15_000;

/** How the pages of this worker reach anything. */
export interface CaptureEgress {
  openProxy: OpenCaptureProxy;
  /** The machine of the proxies, as Chromium is to find it; null for this one. */
  proxyHost: string | null;
  close(): Promise<void>;
}

/**
 * Each page's proxy is opened in this process, or by the service that `EGRESS_PROXY_URL` names.
 *
 * @throws {ConfigError} when that has no token.
 * @throws {Error} one sentence, when it cannot be reached.
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
