import { open, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A list of ad or cookie-banner filters, in the syntax of Adblock Plus and uBlock Origin. */
export interface AdList {
  file: string;
  /** The list's title, or the name of its file. */
  name: string;
  /** The version of the list or of the extension that contains it; null if neither has a version. */
  version: string | null;
  /** The date (`YYYY-MM-DD`) of the last change according to the list, or the date of its file. */
  date: string;
  /** Lists of cookie banners serve `block_cookie_banners`, all others `block_ads`. */
  subject: 'ads' | 'cookie banners';
}

/** The folder where Debian's package `webext-ublock-origin-chromium` keeps its lists. The lists about ads are below. */
export const ublockFolder = '/usr/share/chromium/extensions/ublock-origin';
const ublockLists = [
  'assets/thirdparties/easylist/easylist.txt',
  'assets/thirdparties/easylist/easyprivacy.txt',
  'assets/ublock/filters.min.txt',
  'assets/ublock/privacy.min.txt',
  'assets/ublock/quick-fixes.min.txt',
  'assets/ublock/unbreak.min.txt',
];

/**
 * Finds the ad lists of this machine: the `.txt` files in the folder `AD_LISTS_DIR`, or the lists of Debian's package of uBlock
 * Origin. Empty if there are none.
 *
 * @throws if `AD_LISTS_DIR` names a folder that cannot be read.
 */
export async function findAdLists(folder: string | undefined, ublock = ublockFolder): Promise<AdList[]> {
  if (folder !== undefined) {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort();
    return Promise.all(names.map((name) => describe(path.join(folder, name), null)));
  }
  const version = await ublockVersion(ublock);
  const found: AdList[] = [];
  for (const name of ublockLists) {
    const list = await describe(path.join(ublock, name), version).catch(() => null);
    if (list) found.push(list);
  }
  return found;
}

async function ublockVersion(folder: string): Promise<string | null> {
  const manifest = await readFile(path.join(folder, 'manifest.json'), 'utf8').catch(() => '{}');
  const { version } = JSON.parse(manifest) as { version?: unknown };
  return typeof version === 'string' ? `uBlock Origin ${version}` : null;
}

/** Lists describe themselves in comments at their top. */
const headBytes = 4_096;

async function describe(file: string, extension: string | null): Promise<AdList> {
  const head = await readHead(file);
  const header = (field: string) => new RegExp(`^! *${field}: *([^%\\r\\n]{1,100})$`, 'im').exec(head)?.[1]?.trim();
  const name = header('Title') ?? path.basename(file, '.txt');
  const changed = Date.parse(header('Last modified') ?? '');
  const date = Number.isNaN(changed) ? (await stat(file)).mtime : new Date(changed);
  return {
    file,
    name,
    version: header('Version') ?? extension,
    date: date.toISOString().slice(0, 10),
    subject: /cookie/i.test(`${name} ${path.basename(file)}`) ? 'cookie banners' : 'ads',
  };
}

async function readHead(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
