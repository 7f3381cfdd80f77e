import { isIP } from 'node:net';
import { type AddressRules, type OwnEndpoint, parseAddressRules } from './address-rules.ts';
import { parseUrl } from './host.ts';
import { type Resolve, systemResolve } from './look-up.ts';

/** What a URL without a port means. */
const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
};

/**
 * The platform's own parts as the address rules take them: the gateway's port on this machine, and wherever the database
 * and Redis are. No capture and no webhook reaches them unless an allow entry names the very port.
 *
 * @param parts.urls of the parts. A name among them is looked up once, now, so a part that moves needs a restart; one that
 * cannot be looked up counts as a port of this machine. What is no URL of a TCP service (a socket file, `file:`) adds nothing.
 */
export async function ownEndpoints(
  parts: { port: number; urls: readonly string[] },
  { resolve = systemResolve }: { resolve?: Resolve } = {},
): Promise<OwnEndpoint[]> {
  const found = await Promise.all(parts.urls.map((url) => endpointsOf(url, resolve)));
  return [{ port: parts.port }, ...found.flat()];
}

export interface AddressSettings {
  PORT: number;
  DATABASE_URL: string;
  REDIS_URL: string;
  EGRESS_ALLOW: string;
  EGRESS_DENY: string;
}

/** The address rules of a service of the platform, and the endpoints that they close: with `listener`, its own as well. */
export async function serviceAddressRules(
  config: AddressSettings,
  listener: { port: number } | null = null,
): Promise<{ rules: AddressRules; own: OwnEndpoint[] }> {
  const own = await ownEndpoints({ port: config.PORT, urls: [config.DATABASE_URL, config.REDIS_URL] });
  if (listener) own.push({ port: listener.port });
  return { rules: parseAddressRules({ allow: config.EGRESS_ALLOW, deny: config.EGRESS_DENY, own }), own };
}

async function endpointsOf(text: string, resolve: Resolve): Promise<OwnEndpoint[]> {
  // Not `new URL`: its error carries the text, and with it the database's password.
  const url = parseUrl(text);
  const port = url ? Number(url.port) || defaultPorts[url.protocol] : undefined;
  if (!url?.hostname || port === undefined) return [];
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(hostname)) return [{ address: hostname, port }];
  const addresses = await resolve(hostname).catch(() => []);
  return addresses.length > 0 ? addresses.map(({ address }) => ({ address, port })) : [{ port }];
}
