import { encryptedOptionsKey } from './secret-options.ts';

/**
 * A page that a client submits as `html`, up to 2 MB, is stored as a file while its capture is open, never in a row. The row's
 * options show `…` from the start, and name the file until the capture ends.
 */

/** The key of the file's storage key among a row's options; no option can have this name. */
const htmlFileKey = '*html';

/** The text that records show in place of `html`. */
const shownHtml = '…';

type Options = Record<string, unknown>;

/** Returns the options as stored while the capture is open. The storage must already have the page under `storageKey`. */
export function withHtmlFile(options: Options, storageKey: string): Options {
  return { ...options, html: shownHtml, [htmlFileKey]: storageKey };
}

/** Returns the storage key of an open capture's page; null without a page. Rows of previous versions contain the page itself. */
export function htmlFileOf(stored: Options): string | null {
  const key = stored[htmlFileKey];
  return typeof key === 'string' ? key : null;
}

/** SQL: the same storage key, from the options of a row. */
export const htmlFileIn = (options: string) => `${options}->>'${htmlFileKey}'`;

/** Returns the options of an open capture with the page that was read from its file. */
export function withHtml(stored: Options, html: string): Options {
  const { [htmlFileKey]: _key, ...options } = stored;
  return { ...options, html };
}

/** Returns the options of a stored capture as its record shows them. */
export function visibleOptions(stored: Options): Options {
  const { [encryptedOptionsKey]: _encrypted, [htmlFileKey]: _key, ...options } = stored;
  return options.html === undefined ? options : { ...options, html: shownHtml };
}

/**
 * SQL that drops the parts of the options that only an open capture needs: the encrypted secrets, the name of the page's file
 * and, in a row of a previous version, the page itself. Every statement that ends a capture uses it.
 */
export const dropPrivateOptions = `options = CASE WHEN options ? 'html'
  THEN options - '${encryptedOptionsKey}' - '${htmlFileKey}' || '{"html": "${shownHtml}"}'
  ELSE options - '${encryptedOptionsKey}' END`;

/** SQL: whether a row of a previous version still contains the page itself. */
export const holdsHtml = (options: string) => `${options}->>'html' <> '${shownHtml}'`;
