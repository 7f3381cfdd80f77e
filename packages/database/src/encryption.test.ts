import { describe, expect, it } from '@jest/globals';
import { createEncryptor } from './encryption.ts';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const encryptor = createEncryptor(first);
const row = 'acc_1 signing secret';

describe('an encrypted value', () => {
  it.each(['', 'whsec_QUJD', 'ä ☂ 😀', 'x'.repeat(10_000)])('decrypts to the original: %.20j', (plain) => {
    expect(encryptor.decrypt(encryptor.encrypt(plain, row), row)).toBe(plain);
  });

  it('reveals nothing of the original and differs each time', () => {
    const encrypted = Array.from({ length: 50 }, () => encryptor.encrypt('whsec_QUJD', row));
    expect(new Set(encrypted).size).toBe(50);
    for (const text of encrypted) {
      expect(text).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
      expect(Buffer.from(text.split('.')[3] ?? '', 'base64url').toString()).not.toContain('QUJD');
    }
  });

  it('does not decrypt with any bit altered', () => {
    const [version, keyId, ...parts] = encryptor.encrypt('whsec_QUJD', row).split('.');
    for (const part of [0, 1]) {
      const bytes = Buffer.from(parts[part] ?? '', 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const altered = Buffer.from(bytes);
        altered[bit >> 3]! ^= 1 << (bit & 7);
        const texts = [...parts];
        texts[part] = altered.toString('base64url');
        expect(() => encryptor.decrypt([version, keyId, ...texts].join('.'), row)).toThrow();
      }
    }
  });

  it('does not decrypt with a truncated tag, even a short one that could be guessed', () => {
    const [version, keyId, nonce, body] = encryptor.encrypt('', row).split('.');
    const tag = Buffer.from(body ?? '', 'base64url');
    for (let length = 0; length < 16; length++) {
      const short = tag.subarray(0, length).toString('base64url');
      expect(() => encryptor.decrypt([version, keyId, nonce, short].join('.'), row)).toThrow();
    }
  });

  it('does not decrypt as the value of another row', () => {
    expect(() => encryptor.decrypt(encryptor.encrypt('x', row), 'acc_2 signing secret')).toThrow();
    expect(() => encryptor.decrypt(encryptor.encrypt('x', row), '')).toThrow();
  });

  it.each(['', 'whsec_QUJD', 'v1', 'v1.a.b', 'v2.00000000.AAAA.AAAA', 'v1.00000000.AAAA.AAAA.AAAA'])(
    'does not have the form %j, and the error does not repeat the text',
    (text) => {
      expect(() => encryptor.decrypt(text, row)).toThrow(/^not an encrypted value$/);
    },
  );
});

describe('a rotation of SECRET_KEY', () => {
  it('decrypts with the previous key and encrypts with the new one', () => {
    const old = encryptor.encrypt('x', row);
    const rotated = createEncryptor(second, first);
    expect(rotated.decrypt(old, row)).toBe('x');
    expect(createEncryptor(second).decrypt(rotated.encrypt('y', row), row)).toBe('y');
    expect(() => encryptor.decrypt(rotated.encrypt('y', row), row)).toThrow(
      'encrypted with a key that is no longer configured',
    );
  });

  it('does not decrypt values of the key before the previous one', () => {
    expect(() => createEncryptor(third, second).decrypt(encryptor.encrypt('x', row), row)).toThrow(
      'encrypted with a key that is no longer configured',
    );
  });
});

describe('a keyed hash', () => {
  it('is equal for equal secrets under one key, and differs under another', () => {
    expect(encryptor.keyedHash('hunter2')).toBe(createEncryptor(first, second).keyedHash('hunter2'));
    expect(encryptor.keyedHash('hunter2')).toMatch(/^[\w-]{43}$/);
    const others = [encryptor.keyedHash('hunter3'), createEncryptor(second).keyedHash('hunter2')];
    expect(new Set([encryptor.keyedHash('hunter2'), ...others]).size).toBe(3);
  });
});
