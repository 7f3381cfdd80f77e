import { createHash } from 'node:crypto';
import { kinds } from '../options/capture-option.ts';
import type { Item } from './item.ts';

/** Bytes of a name without its ending: file systems take 255, and an ending, a number and `.part` come after it. */
const longestStem = 180;

/** Names that Windows keeps for devices, with any ending; a folder is often carried from one system to another. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/** A name for a capture's file, made of its URL: `example.com-about-team`. */
export function stemOfUrl(url: string): string {
  if (!URL.canParse(url)) return safeStem(url);
  const { host, pathname, search } = new URL(url);
  return safeStem(`${host}${readable(pathname)}${readable(search)}`);
}

/**
 * A text as the name of a file in one folder, on any system: letters, digits, dots, underscores and hyphens, never a
 * path, a hidden file or a device. One that had to be cut ends in a hash of the whole.
 */
export function safeStem(text: string): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/-?\.-|-\./g, '-')
    .replace(/^[-.]+/, '')
    .replace(/[-.]+$/, '');
  const stem = deviceName.test(plain) ? `_${plain}` : plain || 'page';
  if (Buffer.byteLength(stem) <= longestStem) return stem;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  // Cutting bytes may leave half a character at the end.
  const head = Buffer.from(stem)
    .subarray(0, longestStem - hash.length - 1)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${head}-${hash}`;
}

/** The ending that fits what will be in the file: `.png`. */
export function endingOf({ type, options }: Pick<Item, 'type' | 'options'>): string {
  const format = typeof options.format === 'string' && type !== 'pdf' ? options.format : kinds[type].defaultFormat;
  return format === 'jpeg' ? '.jpg' : `.${safeStem(format)}`;
}

/** The format that a file's ending asks for, if there is one: `jpeg` of `page.jpg`. */
export function formatOf(file: string): string | undefined {
  const [, ending = ''] = /\.(png|jpe?g|webp)$/i.exec(file) ?? [];
  return ending === '' ? undefined : ending.toLowerCase().replace('jpg', 'jpeg');
}

/** Gives each capture of a folder a file of its own. Names that differ in case only are one on many systems. */
export class FileNames {
  readonly #taken: Set<string>;

  /** @param taken what lies in the folder already, or was promised to somebody. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...taken].map(folded));
  }

  /** A name that nobody has yet; it is taken from then on. */
  take(item: Item): string {
    const ending = endingOf(item);
    const named = item.name?.replace(/\.(?:png|jpe?g|webp|pdf)$/i, '');
    const stem = named === undefined ? stemOfUrl(item.url) : safeStem(named);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? `${stem}${ending}` : `${stem}-${number}${ending}`;
      if (this.#taken.has(folded(name))) continue;
      this.#taken.add(folded(name));
      return name;
    }
  }
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
