import { encryptedOptionsKey } from './secret-options.ts';

/**
 * A page that a client submits as `html`, up to 2 MB, is never in a row: it is a file in the storage while its capture is
 * open. From the start the row's options show `…` instead, and they name the file for as long as it is needed.
 */

/** The storage key of the page's file among a row's options: no option can have this name. */
const htmlFileKey = '*html';

/** What records show in place of `html`. */
const shownHtml = '…';

type Options = Record<string, unknown>;

/** Options with `html` as stored while the capture is open; the page itself must be in the storage under the key. */
export function withHtmlFile(options: Options, storageKey: string): Options {
  return { ...options, html: shownHtml, [htmlFileKey]: storageKey };
}

/** The storage key of the page of an open capture; null without one. Rows of previous versions have the page itself. */
export function htmlFileOf(stored: Options): string | null {
  const key = stored[htmlFileKey];
  return typeof key === 'string' ? key : null;
}

/** The same in SQL, of the options of a row. */
export const htmlFileIn = (options: string) => `${options}->>'${htmlFileKey}'`;

/** The options of an open capture with the page that was read from its file. */
export function withHtml(stored: Options, html: string): Options {
  const { [htmlFileKey]: _key, ...options } = stored;
  return { ...options, html };
}

/** The options of a stored capture as its record shows them. */
export function visibleOptions(stored: Options): Options {
  const { [encryptedOptionsKey]: _encrypted, [htmlFileKey]: _key, ...options } = stored;
  return options.html === undefined ? options : { ...options, html: shownHtml };
}

/**
 * SQL that drops what only an open capture needs from its options: the encrypted text of secrets, the name of the page's
 * file, and the page itself in a row of a previous version. For every statement that ends a capture.
 */
export const dropPrivateOptions = `options = CASE WHEN options ? 'html'
  THEN options - '${encryptedOptionsKey}' - '${htmlFileKey}' || '{"html": "${shownHtml}"}'
  ELSE options - '${encryptedOptionsKey}' END`;

/** SQL: whether a row of a previous version still holds the page itself. */
export const holdsHtml = (options: string) => `${options}->>'html' <> '${shownHtml}'`;
