import { secretOptionNames } from '@capture/contract/options/secret-options';
import type { Encryptor } from '../encryption.ts';

/**
 * Secret options (the values of `cookies`, `headers`, `basic_auth`) are encrypted and stored only in the capture's row, while the
 * capture is open. The row's readable options show `***` from the start, so that no other code can read the secrets. The
 * statement that ends the capture drops the encrypted text with `dropPrivateOptions`.
 */

/** The key of the encrypted text among a row's options; no option can have this name. */
export const encryptedOptionsKey = '*sealed';

type Options = Record<string, unknown>;

/** Names the capture that the encrypted text belongs to, so that the text cannot be decrypted for another capture. */
export function secretOptionsContext(captureId: string): string {
  return `${captureId} options`;
}

/** Returns the options of a capture as stored while the capture is open. */
export function encryptSecretOptions(encryptor: Encryptor, captureId: string, options: Options): Options {
  const secrets = Object.fromEntries(
    secretOptionNames.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
  if (Object.keys(secrets).length === 0) return options;
  return {
    ...maskSecretOptions(options),
    [encryptedOptionsKey]: encryptor.encrypt(JSON.stringify(secrets), secretOptionsContext(captureId)),
  };
}

/**
 * Returns the options of a claimed capture as the client sent them.
 *
 * @throws if the options were encrypted for another capture, or with a key that is no longer configured.
 */
export function decryptSecretOptions(encryptor: Encryptor, captureId: string, stored: Options): Options {
  const { [encryptedOptionsKey]: encrypted, ...options } = stored;
  if (typeof encrypted !== 'string') return stored;
  return { ...options, ...JSON.parse(encryptor.decrypt(encrypted, secretOptionsContext(captureId))) };
}

/** Returns the options with `***` in place of every secret value; the names of cookies and headers stay. */
function maskSecretOptions(options: Options): Options {
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
