import type { Request } from 'express';

/** Longer than any key, characters. */
const longestKey = 200;

/** The user name and password of Basic authentication, or null. */
export function basicOf(req: Request): { username: string; password: string } | null {
  const encoded = /^basic +(\S+) *$/i.exec(req.get('Authorization') ?? '')?.[1];
  if (encoded === undefined) return null;
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { username, password: password.join(':') };
}

/** The value of a key in JSON that is not parsed: its name in quotes, a colon, and a text. */
export function jsonKeyOf(bytes: Buffer, name: string): string | null {
  return textAfter(bytes, `"${name}"`, /^\s*:\s*"([\w-]+)"/);
}

/** The same in a form: `name=value`, or a part of that name. */
export function formKeyOf(bytes: Buffer, name: string): string | null {
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
