import { type AddressRules, checkAddress } from './address-rules.ts';
import { parseHost, parseUrl, urlPort } from './host.ts';

export interface UrlRefusal {
  reason: 'blocked';
  /** One sentence for the client. */
  message: string;
}

/** The schemes that a page may load. */
export const captureSchemes: readonly string[] = ['http:', 'https:', 'ws:', 'wss:'];
export const webhookSchemes: readonly string[] = ['https:'];

/**
 * Checks a URL's scheme and, if its host is `localhost` or an IP address in any spelling, its address. Does not look up names:
 * null means "not refused yet", and a name is checked when it is dialled.
 */
export function checkUrl(
  rules: AddressRules,
  url: string | URL,
  { schemes = captureSchemes }: { schemes?: readonly string[] } = {},
): UrlRefusal | null {
  const parsed = typeof url === 'string' ? parseUrl(url) : url;
  if (!parsed) return blocked('This is not a valid URL.');
  if (!schemes.includes(parsed.protocol)) {
    const names = schemes.map((scheme) => scheme.slice(0, -1)).join(', ');
    return blocked(`Only these schemes may be reached: ${names}.`);
  }
  const host = parseHost(parsed.hostname);
  if (!host) return blocked('The host of this URL is not valid.');
  const port = urlPort(parsed);
  if (
    host.kind === 'addresses' &&
    host.addresses.every((address) => checkAddress(rules, address, port) === 'blocked')
  ) {
    return blocked(`${host.hostname}:${port} is not a public address. The operator can allow it with EGRESS_ALLOW.`);
  }
  return null;
}

function blocked(message: string): UrlRefusal {
  return { reason: 'blocked', message };
}
