import type { Options, Tell } from './table.ts';
import { asText, isTrue, Unfit } from './values.ts';

/** Headers from texts such as `Name: value`. @param separator what stands between name and value. */
export function headersOf(texts: readonly string[], separator: ':' | '='): { headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  for (const text of texts) {
    const at = text.indexOf(separator);
    if (at < 1) throw new Unfit(`${separator} is missing between a name and its value`);
    headers[text.slice(0, at).trim()] = text.slice(at + 1).trim();
  }
  return { headers };
}

const sameSites: Readonly<Record<string, string>> = { strict: 'Strict', lax: 'Lax', none: 'None' };

/** A cookie from a text such as `name=value; Domain=example.com; Secure`. */
export function cookieOf(text: string, tell: Tell): Options {
  const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  if (at < 1) throw new Unfit('is no cookie of the form name=value');
  const given: Options = { name: pair.slice(0, at), value: pair.slice(at + 1) };
  for (const attribute of attributes.filter(Boolean)) {
    const [name = '', value = 'true'] = attribute.split('=').map((part) => part.trim());
    given[name.toLowerCase()] = value;
  }
  return cookieFrom(given, tell);
}

/** A cookie from its parts, in anybody's spelling: `sameSite`, `same_site`, `samesite`. What is not kept here is told. */
export function cookieFrom(given: Options, tell: Tell): Options {
  const cookie: Options = {};
  for (const [name, value] of Object.entries(given)) {
    const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
    if (['name', 'value', 'domain', 'path'].includes(plain)) cookie[plain] = asText(value);
    else if (plain === 'secure' && isTrue(value)) cookie.secure = true;
    else if (plain === 'httponly' && isTrue(value)) cookie.http_only = true;
    else if (plain === 'samesite') cookie.same_site = sameSites[asText(value).toLowerCase()];
    else if (plain === 'url') cookie.domain ??= hostOf(asText(value));
    else if (plain !== 'secure' && plain !== 'httponly')
      tell(`${name} of a cookie has no meaning for a single capture`);
  }
  return cookie;
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** An address; one without a scheme gets `http://`, as a browser would take it. */
export function addressOf(value: unknown): string {
  const text = asText(value).trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

/** A receiver of webhooks, which speaks HTTPS. */
export function receiverOf(value: unknown): string {
  const url = asText(value);
  if (!url.startsWith('https://')) throw new Unfit('webhooks go to https addresses only');
  return url;
}
