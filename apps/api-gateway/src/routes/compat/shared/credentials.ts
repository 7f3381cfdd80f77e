import type { KeyPlace, Service } from '@capture/contract/translations/service';
import type { Request } from 'express';
import { bearerOf } from '../../../auth/authenticate.ts';
import { queryOf } from '../../../http/parameters.ts';

/** The key in a request's head, from the first of the service's places that has a key, or null. */
export function keyOf({ keys }: Pick<Service, 'keys'>, req: Request): string | null {
  return keys.reduce<string | null>((found, place) => found ?? keyAt(place, req), null);
}

function keyAt(place: KeyPlace, req: Request): string | null {
  switch (place.in) {
    case 'query':
      return queryOf(req).get(place.name) || null;
    case 'header':
      return req.get(place.name) || null;
    case 'bearer':
      return bearerOf(req.headers);
    case 'user name':
      return basicOf(req)?.username || null;
    case 'password':
      return basicOf(req)?.password || null;
    default:
      return null;
  }
}

/** How to find the key in a body that is not parsed yet; undefined for a service whose key is never in the body. */
export function keyInBodyOf({ keys }: Pick<Service, 'keys'>): ((bytes: Buffer) => string | null) | undefined {
  for (const place of keys) {
    if (place.in === 'json') return (bytes) => jsonKeyOf(bytes, place.name);
    if (place.in === 'form') return (bytes) => formKeyOf(bytes, place.name);
  }
  return undefined;
}

/** Longer than any key, characters. */
const longestKey = 200;

/** The user name and password of Basic authentication, or null. */
function basicOf(req: Request): { username: string; password: string } | null {
  const encoded = /^basic +(\S+) *$/i.exec(req.get('Authorization') ?? '')?.[1];
  if (encoded === undefined) return null;
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { username, password: password.join(':') };
}

/** The value of a key in JSON that is not parsed: its name in quotes, a colon, and a text. */
function jsonKeyOf(bytes: Buffer, name: string): string | null {
  return textAfter(bytes, `"${name}"`, /^\s*:\s*"([\w-]+)"/);
}

/** The value of a key in a form that is not parsed: `name=value`, or a part of that name. */
function formKeyOf(bytes: Buffer, name: string): string | null {
  return (
    textAfter(bytes, `name="${name}"`, /^\r\n\r\n([\w-]+)\r\n/) ?? textAfter(bytes, `${name}=`, /^([\w-]+)(?:&|$)/)
  );
}

function textAfter(bytes: Buffer, name: string, value: RegExp): string | null {
  const at = bytes.indexOf(name);
  if (at === -1) return null;
  const start = at + name.length;
  return value.exec(bytes.toString('latin1', start, start + longestKey))?.[1] ?? null;
}
