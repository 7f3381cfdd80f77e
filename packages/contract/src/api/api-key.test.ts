import { describe, expect, it } from '@jest/globals';
import { apiKeyPrefix, generateApiKey, hashApiKey, isWellFormedApiKey, lastFour } from './api-key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keys = Array.from({ length: 20 }, generateApiKey);
/** A key made with another implementation of the checksum. Issued keys must stay valid. */
const issued = 'cap_live_abcdefghijklmnopqrstuvwxyz01232LolCm';

describe('a generated key', () => {
  it('has the fixed prefix and 36 characters of base62', () => {
    for (const key of keys) expect(key).toMatch(/^cap_live_[0-9A-Za-z]{36}$/);
    expect(apiKeyPrefix).toBe('cap_live_');
  });

  it('differs each time and uses all characters of the alphabet', () => {
    const many = Array.from({ length: 300 }, () => generateApiKey().slice(apiKeyPrefix.length, -6));
    expect(new Set(many).size).toBe(300);
    // The text has 9,000 characters of 62. The chance that one of the 62 is missing is 1 in 10^61.
    expect([...new Set(many.join(''))].sort().join('')).toBe([...alphabet].sort().join(''));
  });

  it('shows its last four characters', () => {
    expect(lastFour(issued)).toBe('olCm');
  });
});

describe('the form of a key', () => {
  it('matches every generated key and an issued key', () => {
    expect([...keys, issued].every(isWellFormedApiKey)).toBe(true);
  });

  it('refuses every key with one character mistyped', () => {
    for (const key of [keys[0]!, issued]) {
      for (let i = 0; i < key.length; i++) {
        for (const typo of `${alphabet}_- é`) {
          if (typo === key[i]) continue;
          expect(isWellFormedApiKey(key.slice(0, i) + typo + key.slice(i + 1))).toBe(false);
        }
      }
    }
  });

  it('refuses every key with two neighbours swapped, a character lost or one doubled', () => {
    for (const key of keys) {
      for (let i = 0; i < key.length; i++) {
        const [before, at, next, rest] = [key.slice(0, i), key[i], key[i + 1] ?? '', key.slice(i + 2)];
        if (at !== next) expect(isWellFormedApiKey(before + next + at + rest)).toBe(key.length === i + 1);
        expect(isWellFormedApiKey(before + next + rest)).toBe(false);
        expect(isWellFormedApiKey(before + at + at + next + rest)).toBe(false);
      }
    }
  });

  it.each(['', 'cap_live_', 'x', `${issued}\n`, ` ${issued}`, issued.toUpperCase(), 'a'.repeat(100_000)])(
    'refuses %.60j',
    (text) => {
      expect(isWellFormedApiKey(text)).toBe(false);
    },
  );
});

it('the hash of a key is its SHA-256', () => {
  expect(hashApiKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
