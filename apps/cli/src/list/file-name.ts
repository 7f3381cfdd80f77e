import { createHash } from 'node:crypto';
import { kinds } from '../options/capture-option.ts';
import type { Item } from './item.ts';

/** The maximum number of bytes of a name. File systems allow 255, and a number, an extension and `.part` are appended. */
const longestStem = 180;

/** Names that Windows reserves for devices, with any extension. Folders move between systems. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/** Makes a file name from a URL: `example.com-about-team`. */
export function stemOfUrl(url: string): string {
  if (!URL.canParse(url)) return safeStem(url);
  const { host, pathname, search } = new URL(url);
  return safeStem(`${host}${readable(pathname)}${readable(search)}`);
}

/**
 * Turns text into a file name that is safe on any system: letters, digits, dots, underscores and hyphens, never a path, a
 * hidden file or a device. A truncated name ends in a hash of the full text.
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
  // Truncating bytes may leave half a character at the end.
  const head = Buffer.from(stem)
    .subarray(0, longestStem - hash.length - 1)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${head}-${hash}`;
}

/** Extensions of formats whose names are no extensions. */
const extensions: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  markdown: 'md',
  text: 'txt',
  metadata: 'json',
  links: 'json',
  accessibility: 'json',
};

/** Returns the extension for the format of a capture: `.png`. */
export function extensionOf({ type, options }: Pick<Item, 'type' | 'options'>): string {
  const format = typeof options.format === 'string' && type !== 'pdf' ? options.format : kinds[type].defaultFormat;
  return extensionOfFormat(format);
}

/** Returns the extension of a format: `.md`. */
export function extensionOfFormat(format: string): string {
  return `.${extensions[format] ?? safeStem(format)}`;
}

/**
 * Names a further output in the folder of a list: `page.png--phone.webp`. No other capture has this name, because names made
 * from URLs have no two hyphens in a row.
 */
export function fileOfOutput(own: string, { name, format }: { name: string; format: string }): string {
  return `${own}--${name}${extensionOfFormat(format)}`;
}

/** Returns the format of a file's extension, if it has one: `jpeg` for `page.jpg`. Several formats have `.json`. */
export function formatOf(file: string): string | undefined {
  const [, extension = ''] = /\.(png|jpe?g|webp|md|txt|html?)$/i.exec(file) ?? [];
  if (extension === '') return undefined;
  const format = extension.toLowerCase();
  return { jpg: 'jpeg', md: 'markdown', txt: 'text', htm: 'html' }[format] ?? format;
}

const contentFormats = ['markdown', 'text', 'html', 'metadata', 'links'];

/** Whether a kind of captures has a format. */
export function hasFormat(type: Item['type'], format: string): boolean {
  if (type === 'pdf') return false;
  return contentFormats.includes(format) === (type === 'content');
}

/** Gives each capture of a folder a unique file name. Names that differ only in case are equal on many systems. */
export class FileNames {
  readonly #taken: Set<string>;

  /** @param taken names of existing files and reserved names. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...taken].map(folded));
  }

  /** Reserves and returns an unused name. */
  take(item: Item): string {
    const extension = extensionOf(item);
    const named = item.name?.replace(/\.(?:png|jpe?g|webp|pdf|md|txt|html|json)$/i, '');
    const stem = named === undefined ? stemOfUrl(item.url) : safeStem(named);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? `${stem}${extension}` : `${stem}-${number}${extension}`;
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
