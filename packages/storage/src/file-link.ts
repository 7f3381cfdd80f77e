import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Links to captures' files that need no key: `${PUBLIC_URL}/files/req_….png?expires=…&signature=…`, and `req_…-2.pdf` for a
 * further output. A link is valid for one file until one time, and the signature covers both. A capture always has the same link.
 */
export interface FileLink {
  /** The public URL without a trailing slash. */
  publicUrl: string;
  captureId: string;
  /** The format of the file: `png`, `jpeg`, `webp`, `pdf`. */
  extension: string;
  /** The number of the capture's file; 1, the default, is the main file. */
  output?: number | undefined;
  /** When the link expires; rounded down to whole seconds. */
  expiresAt: Date;
  /** The value of `SECRET_KEY`. */
  secret: string;
}

export function signFileLink({ publicUrl, captureId, extension, output = 1, expiresAt, secret }: FileLink): string {
  const name = `${captureId}${output > 1 ? `-${output}` : ''}.${extension}`;
  if (!nameForm.test(name)) throw new Error(`not the name of a capture's file: ${JSON.stringify(name)}`);
  const expires = String(Math.floor(expiresAt.getTime() / 1_000));
  const signature = sign(name, expires, secret).toString('base64url');
  return `${publicUrl}/files/${name}?expires=${expires}&signature=${signature}`;
}

export interface LinkedOutput {
  captureId: string;
  format: string;
  output?: number;
  expiresAt: Date;
}

/** Creates the links of one deployment. */
export function fileUrlMaker(publicUrl: string, secret: string) {
  return ({ captureId, format, output, expiresAt }: LinkedOutput): string =>
    signFileLink({ publicUrl, secret, captureId, extension: format, output, expiresAt });
}

/** The unvalidated parts of a link from a request. */
export interface PresentedLink {
  /** The last part of the path: `req_….png`. */
  name: unknown;
  expires: unknown;
  signature: unknown;
  /** The value of `SECRET_KEY`; the previous value also counts during a rotation. */
  secret: string;
  previousSecret?: string | undefined;
  now: Date;
}

export type LinkDecision =
  | { valid: true; captureId: string; output: number; extension: string; expiresAt: Date }
  /** `expired`: a genuine link after its time; `invalid`: a link that the platform never created. */
  | { valid: false; reason: 'expired' | 'invalid' };

export function verifyFileLink(link: PresentedLink): LinkDecision {
  const { name, expires, signature } = link;
  if (typeof name !== 'string' || typeof expires !== 'string' || typeof signature !== 'string') return invalid;
  const parts = nameForm.exec(name);
  if (!parts?.[1] || !parts[3] || !expiresForm.test(expires) || !signatureForm.test(signature)) return invalid;
  const presented = Buffer.from(signature, 'base64url');
  const secrets = link.previousSecret === undefined ? [link.secret] : [link.secret, link.previousSecret];
  if (!secrets.some((secret) => timingSafeEqual(sign(name, expires, secret), presented))) return invalid;
  const expiresAt = new Date(Number(expires) * 1_000);
  if (expiresAt <= link.now) return { valid: false, reason: 'expired' };
  return { valid: true, captureId: parts[1], output: Number(parts[2] ?? 1), extension: parts[3], expiresAt };
}

const invalid: LinkDecision = { valid: false, reason: 'invalid' };

/** A name has one canonical spelling, so that a link cannot be rewritten into another valid link. */
const nameForm = /^([a-z]+_[a-z0-9]{1,64})(?:-([2-9]|[1-9]\d))?\.([a-z0-9]{1,13})$/;
const expiresForm = /^[1-9]\d{0,11}$/;
/** A signature is 32 bytes in base64url: the last of its 43 characters encodes only four bits. */
const signatureForm = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function sign(name: string, expires: string, secret: string): Buffer {
  return createHmac('sha256', linkKey(secret)).update(`${name}\n${expires}`).digest();
}

/** The signing keys by secret. Each key is derived for this purpose only, and only once, because deriving costs more than signing. */
const linkKeys = new Map<string, Buffer>();

function linkKey(secret: string): Buffer {
  let key = linkKeys.get(secret);
  if (!key) {
    key = Buffer.from(hkdfSync('sha256', secret, '', 'capture-platform file links', 32));
    linkKeys.set(secret, key);
  }
  return key;
}
