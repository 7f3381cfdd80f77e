const decodedPrefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** The key bytes of `X-Service-Signature`: the secret's whole text as UTF-8, whatever it begins with. */
export function publishedKey(secret: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(secret);
}

/** The key bytes of `webhook-signature`: after `whsec_` base64 is decoded, any other secret is taken as it is. */
export function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(decodedPrefix)) return publishedKey(secret);
  return Uint8Array.from(atob(secret.slice(decodedPrefix.length)), (character) => character.charCodeAt(0));
}

/**
 * One secret or several, checked. A fault is the receiver's own (a setting that is not set, a line feed that came with
 * the file), so it is no `WebhookVerificationError`: it should be seen at once, and not be answered with 401 for ever.
 *
 * @throws {TypeError}
 */
export function checkedSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0) throw new TypeError('No webhook secret was given.');
  for (const one of secrets) {
    if (typeof one !== 'string' || one === '') throw new TypeError('A webhook secret is empty.');
    if (one.startsWith(decodedPrefix) && !base64.test(one.slice(decodedPrefix.length))) {
      throw new TypeError('A webhook secret has no base64 after whsec_: it was not copied whole.');
    }
  }
  return secrets;
}

/** HMAC-SHA256. WebCrypto, so that it is the same in Node, Deno, Bun and the runtimes of edge networks. */
export async function hmacSha256(
  key: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data));
}

/**
 * Whether two texts are equal, in a time that depends on their length alone. WebCrypto's own `verify` would compute the
 * MAC anew for each signature that a stranger lists; this way a long list costs next to nothing.
 */
export function equalInConstantTime(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
