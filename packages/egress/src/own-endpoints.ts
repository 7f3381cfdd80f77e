import { isIP } from 'node:net';
import { type AddressRules, type OwnEndpoint, parseAddressRules } from './address-rules.ts';
import { parseUrl } from './host.ts';
import { announceListening } from './listening-ports.ts';
import { type Resolve, systemResolve } from './look-up.ts';

/** The default ports of the schemes of the platform's endpoints. */
const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
};

/**
 * Returns the platform's own endpoints for the address rules: the gateway's port on this machine, the database and Redis. No
 * capture or webhook reaches them unless an allow entry names the port.
 *
 * @param parts.urls the URLs of the database and Redis. Names are looked up once, so a moved server needs a restart. A name that
 * cannot be looked up counts as a port of this machine. A URL without a TCP service (a socket file, `file:`) is skipped.
 */
export async function ownEndpoints(
  parts: { port: number; urls: readonly string[] },
  { resolve = systemResolve }: { resolve?: Resolve } = {},
): Promise<OwnEndpoint[]> {
  const found = await Promise.all(parts.urls.map((url) => resolveEndpoints(url, resolve)));
  return [{ port: parts.port }, ...found.flat()];
}

export interface AddressSettings {
  PORT: number;
  DATABASE_URL: string;
  REDIS_URL: string;
  EGRESS_ALLOW: string;
  EGRESS_DENY: string;
}

/**
 * Returns the address rules of a service, and the platform's endpoints that the rules close. The service's `listener` is closed
 * to all services on this machine.
 */
export async function serviceAddressRules(
  config: AddressSettings,
  listener: { port: number } | null = null,
): Promise<{ rules: AddressRules; own: OwnEndpoint[] }> {
  const own = await ownEndpoints({ port: config.PORT, urls: [config.DATABASE_URL, config.REDIS_URL] });
  if (listener) announceListening(listener.port);
  return { rules: parseAddressRules({ allow: config.EGRESS_ALLOW, deny: config.EGRESS_DENY, own }), own };
}

async function resolveEndpoints(text: string, resolve: Resolve): Promise<OwnEndpoint[]> {
  // `new URL` would throw an error that contains the text, and with it the database's password.
  const url = parseUrl(text);
  const port = url ? Number(url.port) || defaultPorts[url.protocol] : undefined;
  if (!url?.hostname || port === undefined) return [];
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(hostname)) return [{ address: hostname, port }];
  const addresses = await resolve(hostname).catch(() => []);
  return addresses.length > 0 ? addresses.map(({ address }) => ({ address, port })) : [{ port }];
}
