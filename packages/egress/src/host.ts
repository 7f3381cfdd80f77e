import { isIP, isIPv6 } from 'node:net';

/**
 * A URL's host after WHATWG normalisation.
 * - `addresses`: an IP literal in any spelling, or `localhost` and its subdomains, which are loopback by RFC 6761 and never
 * looked up; the first open address is used
 * - `name`: a name that has to be looked up
 */
export type Host = { kind: 'addresses'; hostname: string; addresses: string[] } | { kind: 'name'; hostname: string };

/** The longest DNS name in bytes (RFC 1035), with its trailing dot. */
const MAX_NAME_LENGTH = 254;

/** @returns null if the text cannot be a URL's host */
export function parseHost(text: string): Host | null {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  // Any of these characters could end the host early, so that the checked host would differ from the dialled host.
  if (/[\s/\\?#@]/.test(text) || (bare.includes(':') && !isIPv6(bare))) return null;
  const url = parseUrl(`http://${isIPv6(bare) ? `[${bare}]` : bare}/`);
  if (!url) return null;
  const hostname = url.hostname;

  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(literal)) return { kind: 'addresses', hostname, addresses: [literal] };
  if (/(^|\.)localhost\.?$/.test(hostname)) return { kind: 'addresses', hostname, addresses: ['127.0.0.1', '::1'] };
  return hostname.length <= MAX_NAME_LENGTH ? { kind: 'name', hostname } : null;
}

export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443, 'ws:': 80, 'wss:': 443 };

/** The port of a web URL; 0, which no rule opens, for any other scheme. */
export function urlPort(url: URL): number {
  return url.port === '' ? (defaultPorts[url.protocol] ?? 0) : Number(url.port);
}
