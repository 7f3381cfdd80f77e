import { hmacSha256, publishedKey } from './webhook-signature.ts';

/** The path of a link: a screenshot, a PDF or an OG image in a format. */
export type LinkFile = `screenshot.${'png' | 'jpeg' | 'webp'}` | `og-image.${'png' | 'jpeg' | 'webp'}` | 'pdf.pdf';

/** A render link to sign. */
export interface LinkToSign {
  /** The URL of the service, such as `https://captures.example.com`. */
  baseUrl: string;
  /** The ID of an API key of the account, which is public, unlike the key. Revoking the key ends the link. */
  keyId: string;
  /** The link secret of the account. */
  secret: string;
  file: LinkFile;
  /** The options of the capture by their API names, and `expires`, `placeholder` and `ttl_s`. Objects and arrays become JSON. */
  parameters: Readonly<Record<string, unknown>>;
}

/**
 * Signs a render link: an image or a PDF by its URL, for `<img>`, mails and `og:image`. Needs no network. For server-side code
 * only, because of the secret.
 *
 * @throws {TypeError} for an empty secret or key ID.
 */
export async function signLink({ baseUrl, keyId, secret, file, parameters }: LinkToSign): Promise<string> {
  if (secret === '' || keyId === '') throw new TypeError('A link needs the ID of an API key and the link secret.');
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, toText(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  const text = new TextEncoder().encode(`${file}?${query}`);
  const signature = await hmacSha256(publishedKey(secret), text);
  const hex = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${baseUrl.replace(/\/+$/, '')}/r/${encodeURIComponent(keyId)}/${hex}/${file}?${query}`;
}

function toText(value: unknown): string {
  if (value instanceof Date) return String(Math.floor(value.getTime() / 1_000));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
