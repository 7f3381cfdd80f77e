import { isIP, isIPv6 } from 'node:net';

/**
 * What a URL's host is, after WHATWG normalisation.
 * - `addresses`: an IP literal in whatever spelling, or `localhost` and its subdomains, which by RFC 6761 are loopback
 *   and are never asked of a resolver; the first one that is open is taken
 * - `name`: has to be looked up
 */
export type Host = { kind: 'addresses'; hostname: string; addresses: string[] } | { kind: 'name'; hostname: string };

/** Longest name that DNS knows, in bytes (RFC 1035), and its trailing dot. */
const MAX_NAME_LENGTH = 254;

/** @returns null where the text cannot be a URL's host */
export function parseHost(text: string): Host | null {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  // Any of these would let the text end the host early, and what is judged would not be what is dialled.
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

/** The port that a URL of the web leads to; 0, which no rule opens, for any other scheme. */
export function portOf(url: URL): number {
  return url.port === '' ? (defaultPorts[url.protocol] ?? 0) : Number(url.port);
}
