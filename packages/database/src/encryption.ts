import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts what is stored of a client's secrets: AES-256-GCM with a key derived from `SECRET_KEY`, and the row that it
 * belongs to as additional data, so that a sealed value copied to another row does not open.
 * The text is `v1.<key id>.<nonce>.<ciphertext and tag>`; the key id tells which of the two keys sealed it.
 */
export interface Encryptor {
  seal(plain: string, belongsTo: string): string;
  /** @throws when it was sealed with neither key, altered, or belongs to something else. */
  open(sealed: string, belongsTo: string): string;
  /**
   * What stands for a secret where only equality matters: the same text for the same secret, and nobody without the key
   * can try out which one it is. Under a new `SECRET_KEY` it is another.
   */
  standIn(secret: string): string;
  /** The stand-in under the key before, while that is being rotated. */
  formerStandIn: ((secret: string) => string) | null;
  /** Which key seals now, and which one only opens: the second part of what they sealed. */
  keyIds: { current: string; previous: string | null };
}

interface EncryptionKey {
  id: string;
  key: Buffer;
}

/** @param secretKey seals; @param previous also opens, while the key is being rotated. */
export function createEncryptor(secretKey: string, previous?: string): Encryptor {
  const current = deriveKey(secretKey);
  const former = previous === undefined ? null : deriveKey(previous);
  const keys = former === null ? [current] : [current, former];
  return {
    seal(plain, belongsTo) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(belongsTo));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', current.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open(text, belongsTo) {
      const [version, keyId, nonce, body, ...more] = text.split('.');
      if (version !== 'v1' || !nonce || !body || more.length > 0) throw new Error('not a sealed value');
      const key = keys.find((candidate) => candidate.id === keyId);
      if (!key) throw new Error('sealed with a key that is not set any more');
      const bytes = Buffer.from(body, 'base64url');
      // Without its length Node takes a tag of four bytes too, which is guessed in no time.
      const decipher = createDecipheriv('aes-256-gcm', key.key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
        .setAAD(Buffer.from(belongsTo))
        .setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
    },
    standIn: standInUnder(secretKey),
    formerStandIn: previous === undefined ? null : standInUnder(previous),
    keyIds: { current: current.id, previous: former?.id ?? null },
  };
}

function standInUnder(secretKey: string): (secret: string) => string {
  const comparing = derive(secretKey, 'capture-platform compared secrets');
  return (secret) => createHmac('sha256', comparing).update(secret).digest('base64url');
}

function deriveKey(secretKey: string): EncryptionKey {
  const key = derive(secretKey, 'capture-platform stored secrets');
  return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
}

function derive(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));
}
