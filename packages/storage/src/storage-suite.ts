import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Storage } from './storage.ts';

/** A store for one test, and the function that deletes it. */
export interface StorageUnderTest {
  storage: Storage;
  discard(): Promise<void>;
}

/** Tests what every store must do. Each implementation's test file calls it once. */
export function testStorage(name: string, make: () => Promise<StorageUnderTest>): void {
  describe(`storage: ${name}`, () => {
    let storage: Storage;
    let discard: () => Promise<void>;
    const tomorrow = new Date(Date.now() + 86_400_000);

    beforeEach(async () => {
      ({ storage, discard } = await make());
    });
    afterEach(() => discard());

    async function read(key: string): Promise<Buffer | null> {
      const file = await storage.open(key);
      if (!file) return null;
      const bytes = await buffer(file.stream);
      expect(bytes.length).toBe(file.size);
      return bytes;
    }

    async function keys(writtenBefore: Date): Promise<string[]> {
      const found: string[] = [];
      for await (const key of storage.list(writtenBefore)) found.push(key);
      return found.sort();
    }

    it('returns the bytes that were put', async () => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
      await storage.put('2026-11-20/k7/req_1-1.png', bytes);
      expect(await read('2026-11-20/k7/req_1-1.png')).toEqual(bytes);
    });

    it('returns a part of a file', async () => {
      await storage.put('part/of', Buffer.from('0123456789'));
      const file = await storage.open('part/of', { start: 2, end: 5 });
      expect(file?.size).toBe(4);
      expect(String(await buffer(file!.stream))).toBe('2345');
    });

    it('keeps an empty file', async () => {
      await storage.put('empty', Buffer.alloc(0));
      expect(await read('empty')).toEqual(Buffer.alloc(0));
    });

    it('returns null for a missing file', async () => {
      await storage.put('folder/file', Buffer.from('x'));
      expect(await storage.open('folder/other')).toBeNull();
      expect(await storage.open('nowhere/other')).toBeNull();
      expect(await storage.open('folder')).toBeNull();
      expect(await storage.open('folder/file/below')).toBeNull();
    });

    it('removes a file, repeatedly without an error', async () => {
      await storage.put('folder/one', Buffer.from('1'));
      await storage.put('folder/two', Buffer.from('2'));
      await storage.remove('folder/one');
      await storage.remove('folder/one');
      await storage.remove('never/there');
      expect(await storage.open('folder/one')).toBeNull();
      expect(await read('folder/two')).toEqual(Buffer.from('2'));
    });

    it('never shows a partial file, even with concurrent writes of the same key', async () => {
      const contents = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(1_000_000, letter));
      await storage.put('contended', contents[0]!);
      const writing = Promise.all(contents.map((bytes) => storage.put('contended', bytes)));
      const seen = await Promise.all(Array.from({ length: 8 }, () => read('contended')));
      await writing;
      for (const bytes of [...seen, await read('contended')]) {
        expect(contents.some((content) => bytes !== null && content.equals(bytes))).toBe(true);
      }
    });

    it('puts and removes concurrently in the same folder', async () => {
      const name = (index: number) => `shared/deep/req_${index}`;
      for (let round = 0; round < 20; round += 1) {
        await Promise.all([storage.put(name(round), Buffer.from('x')), storage.remove(name(round - 1))]);
      }
      expect(await keys(tomorrow)).toEqual([name(19)]);
    });

    it('lists files written before a given time', async () => {
      await storage.put('a/one', Buffer.from('1'));
      await storage.put('b/c/two', Buffer.from('2'));
      expect(await keys(tomorrow)).toEqual(['a/one', 'b/c/two']);
      expect(await keys(new Date(0))).toEqual([]);
    });

    it.each([
      '',
      '/',
      '/etc/passwd',
      '..',
      '../out',
      'a/../../out',
      'a/./b',
      'a//b',
      'a/',
      '.hidden',
      'a/.hidden',
      'a\\b',
      'a\0b',
      'a b',
      'ä',
      'a\n',
      `${'a/'.repeat(300)}a`,
    ])('refuses the key %j', async (key) => {
      await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('not a storage key');
      await expect(storage.open(key)).rejects.toThrow('not a storage key');
      await expect(storage.remove(key)).rejects.toThrow('not a storage key');
    });
  });
}
