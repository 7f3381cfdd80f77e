import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { type AddressEntry, entryCovers, type IpAddress, parseAddress, parseAddressEntries } from './address-entry.ts';
import { isListening } from './listening-ports.ts';

/** A port of the platform itself. Without `address`, or with one of this machine's, it is closed on all of them. */
export interface OwnEndpoint {
  readonly address?: string;
  readonly port: number;
}

/** Which addresses pages and webhooks may reach. `parseAddressRules` creates the rules and only `checkAddress` reads them. */
export interface AddressRules {
  readonly allow: readonly AddressEntry[];
  readonly deny: readonly AddressEntry[];
  readonly own: readonly { readonly address: IpAddress | null; readonly port: number }[];
  /** Returns this machine's current addresses. */
  readonly local: () => readonly IpAddress[];
}

export interface AddressRuleTexts {
  /** The value of `EGRESS_ALLOW`: opens addresses that are closed by default. */
  allow?: string;
  /** The value of `EGRESS_DENY`: closes addresses and takes precedence over everything else. */
  deny?: string;
  /** The ports of the gateway, database and queue, which only an allow entry with that port opens. */
  own?: readonly OwnEndpoint[];
  /** Replaces the addresses of this machine's interfaces. */
  local?: readonly string[];
}

/** @throws {Error} with one sentence that names the variable and the entry, or the invalid own address */
export function parseAddressRules({ allow = '', deny = '', own = [], local }: AddressRuleTexts): AddressRules {
  const localAddresses = local === undefined ? interfaceAddresses : () => parseAll(local);
  return {
    local: localAddresses,
    allow: parseAddressEntries('EGRESS_ALLOW', allow),
    deny: parseAddressEntries('EGRESS_DENY', deny),
    own: own.map(({ address: text, port }) => {
      if (text === undefined) return { address: null, port };
      const address = parseAddress(text);
      if (!address) throw new Error(`"${text}" is not an IP address: resolve a platform endpoint's name first.`);
      return { address: isThisMachine(localAddresses, address) ? null : address, port };
    }),
  };
}

/**
 * Checks an IP address (in any text form, never a name) and a port. An address is open if an allow entry covers it, or if it is
 * public and not an address of this machine. Text that is not an address and ports outside 1–65535 are blocked.
 */
export function checkAddress(rules: AddressRules, address: string, port: number): 'allowed' | 'blocked' {
  const parsed = parseAddress(address);
  if (!parsed || !Number.isInteger(port) || port < 1 || port > 65_535) return 'blocked';
  return isOpen(rules, parsed, port) ? 'allowed' : 'blocked';
}

function isOpen(rules: AddressRules, address: IpAddress, port: number): boolean {
  if (rules.deny.some((entry) => entryCovers(entry, address, port))) return false;
  // A gateway extracts the IPv4 address, so that address must be open too, even if an entry opens the IPv6 range around it.
  const inner = ipv4Inside(address);
  if (inner && !isOpen(rules, inner, port)) return false;

  const openedBy = rules.allow.filter((entry) => entryCovers(entry, address, port));
  if (isOwnEndpoint(rules, address, port)) return openedBy.some((entry) => entry.port === port);
  return openedBy.length > 0 || (isPublic(address) && !isThisMachine(rules.local, address));
}

/** Azure's metadata and agent address is in a public range, although every Azure virtual machine can reach it. */
const AZURE_WIRE_SERVER = '168.63.129.16';

function isPublic(address: IpAddress): boolean {
  if (address.range() !== 'unicast' || address.toString() === AZURE_WIRE_SERVER) return false;
  // Only 2000::/3 is allocated to the public internet; ipaddr.js also calls private overlays unicast (200::/7).
  return isIPv4(address) || (addressPart(address, 0) & 0xe000) === 0x2000;
}

function isOwnEndpoint({ own, local }: AddressRules, address: IpAddress, port: number): boolean {
  const known = own.filter((each) => each.port === port);
  if (known.some((each) => each.address && sameAddress(each.address, address))) return true;
  const onThisMachine = known.some((each) => each.address === null) || isListening(port);
  return onThisMachine && isThisMachine(local, address);
}

function isThisMachine(local: AddressRules['local'], address: IpAddress): boolean {
  if (['loopback', 'unspecified'].includes(address.range())) return true;
  return local().some((each) => sameAddress(each, address));
}

/** The interval for reading the interfaces. They change (containers, VPNs), but reading them takes at least 0.05 ms. */
const rereadInterfacesMs = 1_000;
let interfaces: { addresses: readonly IpAddress[]; readAt: number } | undefined;

function interfaceAddresses(): readonly IpAddress[] {
  const now = performance.now();
  if (!interfaces || now - interfaces.readAt > rereadInterfacesMs) {
    const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    interfaces = { addresses: parseAll(found.map(({ address }) => address)), readAt: now };
  }
  return interfaces.addresses;
}

function parseAll(texts: readonly string[]): IpAddress[] {
  return texts.map(parseAddress).filter((address) => address !== null);
}

/** The IPv4 address inside the IPv6 address of a transition mechanism; null for other addresses. */
function ipv4Inside(address: IpAddress): ipaddr.IPv4 | null {
  if (isIPv4(address)) return null;
  const part = (index: number) => addressPart(address, index);
  const fromParts = (high: number, low: number) => new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
  const leadingZeros = (count: number) => address.parts.slice(0, count).every((value) => value === 0);

  if (address.range() === '6to4') return fromParts(part(1), part(2));
  if (address.range() === 'teredo') return fromParts(part(6) ^ 0xffff, part(7) ^ 0xffff);
  const nat64 = part(0) === 0x64 && part(1) === 0xff9b;
  const translated = leadingZeros(4) && part(4) === 0xffff && part(5) === 0; // RFC 6145 defines this form.
  const compatible = leadingZeros(6) && part(6) !== 0; // The addresses :: and ::1 are not IPv4-compatible.
  const isatap = (part(4) & 0xfdff) === 0 && part(5) === 0x5efe;
  return nat64 || translated || compatible || isatap ? fromParts(part(6), part(7)) : null;
}

function isIPv4(address: IpAddress): address is ipaddr.IPv4 {
  return address.kind() === 'ipv4';
}

function addressPart(address: IpAddress, index: number): number {
  return (address as ipaddr.IPv6).parts[index] ?? 0;
}

function sameAddress(one: IpAddress, other: IpAddress): boolean {
  return one.toNormalizedString() === other.toNormalizedString();
}
