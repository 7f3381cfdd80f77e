import { createHash } from 'node:crypto';
import type { Kind } from '../options/capture-option.ts';
import type { OptionValues } from '../options/option-flags.ts';

/** A line of a list. */
export interface ListedUrl {
  url: string;
  type?: Kind;
  /** The file name. Its extension does not matter. */
  name?: string;
  /** Options of this line, which override those of the command line. */
  options: OptionValues;
}

/** One capture of a list. */
export interface Item {
  /** A hash of type, URL, name and options, equal in every run. */
  key: string;
  type: Kind;
  url: string;
  name?: string;
  options: OptionValues;
}

/** Returns the captures of a list without duplicates. Options of a line override those of the command line. */
export function listItems(listed: readonly ListedUrl[], defaults: { type: Kind; options: OptionValues }): Item[] {
  const items = new Map<string, Item>();
  for (const { url, type = defaults.type, name, options: ownOptions } of listed) {
    const merged = Object.entries({ ...defaults.options, ...ownOptions }).sort(([a], [b]) => (a < b ? -1 : 1));
    const named = name === undefined ? {} : { name };
    const key = hashIdentity([type, url, name ?? null, merged]);
    items.set(key, { key, type, url, ...named, options: Object.fromEntries(merged) });
  }
  return [...items.values()];
}

/** Returns 128 bits, which rule out collisions. */
function hashIdentity(identity: unknown): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
}

/** The server captures `example.com` and `example.com:8080/cart` with https. */
const isBareHost = /^[\p{L}\d][\p{L}\d.-]*\.\p{L}{2,}([:/?#]|$)/u;

/** Returns the reason that no server can capture a URL; null if a server can. */
export function checkUrl(given: string): string | null {
  const url = isBareHost.test(given) ? `https://${given}` : given;
  if (!URL.canParse(url)) return 'it is not a URL that begins with http:// or https://';
  return /^https?:$/.test(new URL(url).protocol) ? null : 'it does not begin with http:// or https://';
}
