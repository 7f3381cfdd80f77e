import { secretOptionNames } from '@capture/contract/options/secret-options';
import type { Encryptor } from '../encryption.ts';

/**
 * What a client confides to a capture (the values of `cookies`, `headers`, `basic_auth`) is in its row once, sealed, for
 * as long as the capture is open. The row's options show `***` in its place from the start, so that whatever reads them
 * finds nothing; whoever ends the capture drops the sealed text with `dropSecretOptions`.
 */

/** Where the sealed text is among a row's options: no name that an option could have. */
export const encryptedOptionsKey = '*sealed';

/** SQL that takes the sealed text out of a capture's options; for every statement that ends one. */
export const dropSecretOptions = `options = options - '${encryptedOptionsKey}'`;

type Options = Record<string, unknown>;

/** What a confided value is sealed for. */
export function secretOptionsContext(captureId: string): string {
  return `${captureId} options`;
}

/** The options of a capture as they are stored while it is open. */
export function encryptSecretOptions(encryptor: Encryptor, captureId: string, options: Options): Options {
  const confided = Object.fromEntries(
    secretOptionNames.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
  if (Object.keys(confided).length === 0) return options;
  return {
    ...maskSecretOptions(options),
    [encryptedOptionsKey]: encryptor.encrypt(JSON.stringify(confided), secretOptionsContext(captureId)),
  };
}

/**
 * The options of a claimed capture as the client gave them.
 *
 * @throws when they were sealed with a key that is not set any more, or for another capture.
 */
export function decryptSecretOptions(encryptor: Encryptor, captureId: string, stored: Options): Options {
  const { [encryptedOptionsKey]: sealed, ...options } = stored;
  if (typeof sealed !== 'string') return stored;
  return { ...options, ...JSON.parse(encryptor.decrypt(sealed, secretOptionsContext(captureId))) };
}

/** The options of a stored capture as its record shows them. */
export function visibleOptions(stored: Options): Options {
  const { [encryptedOptionsKey]: _sealed, ...options } = stored;
  return options;
}

/** Options with `***` for every value that is confided; the names of cookies and headers stay. */
export function maskSecretOptions(options: Options): Options {
  const masked = { ...options };
  if (Array.isArray(options.cookies)) {
    masked.cookies = options.cookies.map((cookie: Options) => ({ ...cookie, value: '***' }));
  }
  for (const name of ['headers', 'basic_auth'] as const) {
    const values = options[name];
    if (typeof values !== 'object' || values === null) continue;
    masked[name] = Object.fromEntries(Object.keys(values).map((key) => [key, '***']));
  }
  return masked;
}
