import { createHash } from 'node:crypto';
import type { Kind } from '../options/capture-option.ts';
import type { GivenOptions } from '../options/option-flags.ts';

/** What a line of a list asks for. */
export interface ListedUrl {
  url: string;
  type?: Kind;
  /** What the file is to be called, whatever its ending. */
  name?: string;
  /** Options of this line alone, which win over those of the call. */
  options: GivenOptions;
}

/** One capture of a list. */
export interface Item {
  /** The same in every run that asks for the same: of its type, URL, name and options. */
  key: string;
  type: Kind;
  url: string;
  name?: string;
  options: GivenOptions;
}

/**
 * What is to be captured, each once: a line that says the same as one before it is left out. A line's own options win
 * over the call's.
 */
export function itemsOf(listed: readonly ListedUrl[], usual: { type: Kind; options: GivenOptions }): Item[] {
  const items = new Map<string, Item>();
  for (const { url, type = usual.type, name, options: own } of listed) {
    const merged = Object.entries({ ...usual.options, ...own }).sort(([a], [b]) => (a < b ? -1 : 1));
    const named = name === undefined ? {} : { name };
    const key = keyOf([type, url, name ?? null, merged]);
    items.set(key, { key, type, url, ...named, options: Object.fromEntries(merged) });
  }
  return [...items.values()];
}

/** 128 bits: none of a list's keys equals another by chance. */
function keyOf(said: unknown): string {
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 32);
}

/** Why a URL cannot be captured, whatever the server is; null if it may be. */
export function faultOfUrl(url: string): string | null {
  if (!URL.canParse(url)) return 'it is no absolute URL';
  return /^https?:$/.test(new URL(url).protocol) ? null : 'it is neither http nor https';
}
