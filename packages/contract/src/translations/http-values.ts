import type { Options, Report } from './table.ts';
import { asText, isTrue, Untranslatable } from './values.ts';

/** Parses headers such as `Name: value`. @param separator the character between name and value. */
export function headersOf(texts: readonly string[], separator: ':' | '='): { headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  for (const text of texts) {
    const at = text.indexOf(separator);
    if (at < 1) throw new Untranslatable(`${separator} is missing between a name and its value`);
    headers[text.slice(0, at).trim()] = text.slice(at + 1).trim();
  }
  return { headers };
}

const sameSites: Readonly<Record<string, string>> = { strict: 'Strict', lax: 'Lax', none: 'None' };

/** Parses a cookie such as `name=value; Domain=example.com; Secure`. */
export function cookieOf(text: string, report: Report): Options {
  const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  if (at < 1) throw new Untranslatable('is not a cookie of the form name=value');
  const given: Options = { name: pair.slice(0, at), value: pair.slice(at + 1) };
  for (const attribute of attributes.filter(Boolean)) {
    const [name = '', value = 'true'] = attribute.split('=').map((part) => part.trim());
    given[name.toLowerCase()] = value;
  }
  return cookieFrom(given, report);
}

/** Translates a cookie object, with any spelling of `sameSite`. Unsupported attributes are reported. */
export function cookieFrom(given: Options, report: Report): Options {
  const cookie: Options = {};
  for (const [name, value] of Object.entries(given)) {
    const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
    if (['name', 'value', 'domain', 'path'].includes(plain)) cookie[plain] = asText(value);
    else if (plain === 'secure' && isTrue(value)) cookie.secure = true;
    else if (plain === 'httponly' && isTrue(value)) cookie.http_only = true;
    else if (plain === 'samesite') cookie.same_site = sameSites[asText(value).toLowerCase()];
    else if (plain === 'url') cookie.domain ??= hostOf(asText(value));
    else if (plain !== 'secure' && plain !== 'httponly')
      report(`${name} of a cookie has no effect on a single capture`);
  }
  return cookie;
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Returns a URL. Adds `http://` to a URL without a scheme, as a browser does. */
export function addressOf(value: unknown): string {
  const text = asText(value).trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

/** Returns the URL of a webhook receiver, which must use HTTPS. */
export function receiverOf(value: unknown): string {
  const url = asText(value);
  if (!url.startsWith('https://')) throw new Untranslatable('webhooks go to https addresses only');
  return url;
}
