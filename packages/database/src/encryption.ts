import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts the secrets of clients for storage, with AES-256-GCM and a key derived from `SECRET_KEY`. The additional data names
 * the row that the secret belongs to, so that a text copied to another row cannot be decrypted. The text is `v1.<key
 * id>.<nonce>.<ciphertext and tag>`; the key id names the key that encrypted it.
 */
export interface Encryptor {
  encrypt(plain: string, belongsTo: string): string;
  /** @throws if the text was altered, belongs to another row, or was encrypted with neither key. */
  decrypt(encrypted: string, belongsTo: string): string;
  /**
   * A keyed hash for secrets that are only compared. Equal secrets have equal hashes, and without the key a hash does not help to
   * guess the secret. Changing `SECRET_KEY` changes the hashes.
   */
  keyedHash(secret: string): string;
  /** Computes the hash under the previous key, while the key is being rotated. */
  previousKeyedHash: ((secret: string) => string) | null;
  /** The ids of the key that encrypts and of the key that only decrypts. The second part of an encrypted text is such an id. */
  keyIds: { current: string; previous: string | null };
}

interface EncryptionKey {
  id: string;
  key: Buffer;
}

/** @param secretKey encrypts and decrypts. @param previous only decrypts, while the key is being rotated. */
export function createEncryptor(secretKey: string, previous?: string): Encryptor {
  const currentKey = deriveKey(secretKey);
  const previousKey = previous === undefined ? null : deriveKey(previous);
  const keys = previousKey === null ? [currentKey] : [currentKey, previousKey];
  return {
    encrypt(plain, belongsTo) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', currentKey.key, nonce).setAAD(Buffer.from(belongsTo));
      const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', currentKey.id, nonce.toString('base64url'), bytes.toString('base64url')].join('.');
    },
    decrypt(encrypted, belongsTo) {
      const [version, keyId, nonce, body, ...more] = encrypted.split('.');
      if (version !== 'v1' || !nonce || !body || more.length > 0) throw new Error('not an encrypted value');
      const key = keys.find((candidate) => candidate.id === keyId);
      if (!key) throw new Error('encrypted with a key that is no longer configured');
      const bytes = Buffer.from(body, 'base64url');
      // Without an explicit length Node also accepts a tag of four bytes, which an attacker can guess quickly.
      const decipher = createDecipheriv('aes-256-gcm', key.key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
        .setAAD(Buffer.from(belongsTo))
        .setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
    },
    keyedHash: keyedHashWith(secretKey),
    previousKeyedHash: previous === undefined ? null : keyedHashWith(previous),
    keyIds: { current: currentKey.id, previous: previousKey?.id ?? null },
  };
}

function keyedHashWith(secretKey: string): (secret: string) => string {
  const key = derive(secretKey, 'capture-platform compared secrets');
  return (secret) => createHmac('sha256', key).update(secret).digest('base64url');
}

function deriveKey(secretKey: string): EncryptionKey {
  const key = derive(secretKey, 'capture-platform stored secrets');
  return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
}

function derive(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));
}
