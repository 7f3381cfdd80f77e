import { describe, expect, it } from '@jest/globals';
import { createEncryptor } from './encryption.ts';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const encryptor = createEncryptor(first);
const row = 'acc_1 signing secret';

describe('a sealed value', () => {
  it.each(['', 'whsec_QUJD', 'ä ☂ 😀', 'x'.repeat(10_000)])('opens as it was: %.20j', (plain) => {
    expect(encryptor.open(encryptor.seal(plain, row), row)).toBe(plain);
  });

  it('tells nothing of what it is, and is another text each time', () => {
    const sealed = Array.from({ length: 50 }, () => encryptor.seal('whsec_QUJD', row));
    expect(new Set(sealed).size).toBe(50);
    for (const text of sealed) {
      expect(text).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
      expect(Buffer.from(text.split('.')[3] ?? '', 'base64url').toString()).not.toContain('QUJD');
    }
  });

  it('does not open with any bit altered', () => {
    const [version, keyId, ...parts] = encryptor.seal('whsec_QUJD', row).split('.');
    for (const part of [0, 1]) {
      const bytes = Buffer.from(parts[part] ?? '', 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const altered = Buffer.from(bytes);
        altered[bit >> 3]! ^= 1 << (bit & 7);
        const texts = [...parts];
        texts[part] = altered.toString('base64url');
        expect(() => encryptor.open([version, keyId, ...texts].join('.'), row)).toThrow();
      }
    }
  });

  it('does not open cut short, even where a short tag would be a guess away', () => {
    const [version, keyId, nonce, body] = encryptor.seal('', row).split('.');
    const tag = Buffer.from(body ?? '', 'base64url');
    for (let length = 0; length < 16; length++) {
      const short = tag.subarray(0, length).toString('base64url');
      expect(() => encryptor.open([version, keyId, nonce, short].join('.'), row)).toThrow();
    }
  });

  it('does not open as another row’s', () => {
    expect(() => encryptor.open(encryptor.seal('x', row), 'acc_2 signing secret')).toThrow();
    expect(() => encryptor.open(encryptor.seal('x', row), '')).toThrow();
  });

  it.each(['', 'whsec_QUJD', 'v1', 'v1.a.b', 'v2.00000000.AAAA.AAAA', 'v1.00000000.AAAA.AAAA.AAAA'])(
    'is not %j, and the error does not repeat it',
    (text) => {
      expect(() => encryptor.open(text, row)).toThrow(/^not a sealed value$/);
    },
  );
});

describe('a rotation of SECRET_KEY', () => {
  it('opens what the key before has sealed, and seals with the new one', () => {
    const old = encryptor.seal('x', row);
    const rotated = createEncryptor(second, first);
    expect(rotated.open(old, row)).toBe('x');
    expect(createEncryptor(second).open(rotated.seal('y', row), row)).toBe('y');
    expect(() => encryptor.open(rotated.seal('y', row), row)).toThrow('sealed with a key that is not set any more');
  });

  it('leaves what was sealed two keys before unread', () => {
    expect(() => createEncryptor(third, second).open(encryptor.seal('x', row), row)).toThrow(
      'sealed with a key that is not set any more',
    );
  });
});

describe('a stand-in for a secret', () => {
  it('is equal for equal ones under one key, and under no other', () => {
    expect(encryptor.standIn('hunter2')).toBe(createEncryptor(first, second).standIn('hunter2'));
    expect(encryptor.standIn('hunter2')).toMatch(/^[\w-]{43}$/);
    const others = [encryptor.standIn('hunter3'), createEncryptor(second).standIn('hunter2')];
    expect(new Set([encryptor.standIn('hunter2'), ...others]).size).toBe(3);
  });
});
