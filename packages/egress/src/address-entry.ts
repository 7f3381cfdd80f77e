import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses on one port, or on every port if `port` is null. */
export interface AddressEntry {
  readonly range: IpAddress;
  readonly prefix: number;
  readonly port: number | null;
}

const FORMATS = '10.0.0.0/8, 127.0.0.1/32:8080, ::1/128 or [::1/128]:443';

/**
 * Parses an IP address; IPv4-mapped IPv6 becomes its IPv4 address. Null if the text is not a plain address. A zone (`%eth0`) is
 * dropped, because the rules are about ranges, not links.
 */
export function parseAddress(text: string): IpAddress | null {
  const withoutZone = text.split('%', 1)[0] ?? '';
  if (isIPv4(withoutZone)) return ipaddr.IPv4.parse(withoutZone);
  if (!isIPv6(withoutZone)) return null;
  // The WHATWG form has only hex groups. ipaddr.js would read any dotted tail as IPv4-mapped, also in `::10.0.0.1`.
  return ipaddr.process(new URL(`http://[${withoutZone}]/`).hostname.slice(1, -1));
}

/**
 * Parses a comma-separated list such as `10.0.0.0/8, 127.0.0.1/32:8080, [::1/128]:443`. An address without a prefix matches only
 * itself, and bits beyond the prefix are ignored.
 *
 * @throws {Error} with one sentence that names the variable and the entry
 */
export function parseAddressEntries(variable: string, list: string): AddressEntry[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => parseEntry(variable, entry));
}

export function entryCovers(entry: AddressEntry, address: IpAddress, port: number): boolean {
  if (entry.port !== null && entry.port !== port) return false;
  return entry.range.kind() === address.kind() && address.match(entry.range, entry.prefix);
}

function parseEntry(variable: string, entry: string): AddressEntry {
  const fail = (fault: string) => new Error(`${variable}: "${entry}" ${fault}.`);
  const { address: text, prefix: prefixText, port: portText } = splitEntry(entry);
  if (!(isIPv4(text) || isIPv6(text)) || text.includes('%')) {
    throw fail(`is not an address or CIDR with an optional port (write it as ${FORMATS})`);
  }
  const range = parseAddress(text);
  if (!range) throw fail('is not an address');

  const bits = isIPv4(text) ? 32 : 128;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  if (prefix > bits) throw fail(`has a prefix longer than ${bits} bits`);
  const mapped = isIPv6(text) && range.kind() === 'ipv4';
  if (mapped && prefix < 96) throw fail('mixes IPv4-mapped and other IPv6 addresses: write two entries');

  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > 65_535)) throw fail('has a port outside 1–65535');
  return { range, prefix: mapped ? prefix - 96 : prefix, port };
}

interface EntryParts {
  address: string;
  prefix: string | undefined;
  port: string | undefined;
}

/** IPv6 with a port is written in brackets, including the prefix. Otherwise its colons would be ambiguous. */
function splitEntry(entry: string): EntryParts {
  const parts =
    /^\[([^\]/]*)(?:\/(\d{1,3}))?\](?::(\d{1,5}))?$/.exec(entry) ??
    /^([\d.]+)(?:\/(\d{1,3}))?(?::(\d{1,5}))?$/.exec(entry) ??
    /^([^/[\]]*)(?:\/(\d{1,3}))?$/.exec(entry);
  return { address: parts?.[1] ?? '', prefix: parts?.[2], port: parts?.[3] };
}
