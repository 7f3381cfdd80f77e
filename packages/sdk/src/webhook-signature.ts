const decodedPrefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** Returns the key bytes of `X-Service-Signature`: the full text of the secret as UTF-8, including any prefix. */
export function publishedKey(secret: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(secret);
}

/** Returns the key bytes of `webhook-signature`. Base64 after `whsec_` is decoded; any other secret is used as is. */
export function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(decodedPrefix)) return publishedKey(secret);
  return Uint8Array.from(atob(secret.slice(decodedPrefix.length)), (character) => character.charCodeAt(0));
}

/**
 * Validates one or several secrets. An invalid secret is a mistake in the receiver (a missing setting, a trailing line feed),
 * so it is not a `WebhookVerificationError`, which 401 responses would hide.
 *
 * @throws {TypeError}
 */
export function checkedSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0) throw new TypeError('No webhook secret was given.');
  for (const value of secrets) {
    if (typeof value !== 'string' || value === '') throw new TypeError('A webhook secret is empty.');
    if (value.startsWith(decodedPrefix) && !base64.test(value.slice(decodedPrefix.length))) {
      throw new TypeError('A webhook secret has no base64 after whsec_: it was not copied completely.');
    }
  }
  return secrets;
}

/** HMAC-SHA256 with WebCrypto, which Node, Deno, Bun and edge runtimes share. */
export async function hmacSha256(
  key: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data));
}

/**
 * Compares two texts in a time that depends only on their length. WebCrypto's `verify` would compute the MAC again for each
 * signature in the header, so a long list would be expensive.
 */
export function equalInConstantTime(received: string, expected: string): boolean {
  if (received.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) difference |= received.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
