import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { openStorage } from './open-storage.ts';

describe('openStorage', () => {
  it('opens a folder', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'open storage test-'));
    try {
      const storage = await openStorage(pathToFileURL(folder).href);
      await storage.put('file', Buffer.from('x'));
      const file = await (await openStorage(pathToFileURL(folder).href)).open('file');
      expect(file?.size).toBe(1);
      file?.stream.destroy();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('reports each fault in one sentence', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'open-storage-test-'));
    try {
      await writeFile(path.join(folder, 'file'), '');
      await expect(openStorage('s3://key:hidden@bucket')).rejects.toThrow(
        /^STORAGE_URL: keys do not belong in the URL/,
      );
      await expect(openStorage('s3://bucket?reigon=x')).rejects.toThrow(/^STORAGE_URL: reigon is not a setting/);
      await expect(openStorage('s3://bucket?endpoint=host')).rejects.toThrow(/^STORAGE_URL: endpoint must be an http/);
      await expect(openStorage('s3://bucket?links=public')).rejects.toThrow(/^STORAGE_URL: links can only be/);
      await expect(openStorage('s3://bucket?links_endpoint=https://x')).rejects.toThrow(
        /links_endpoint needs links=presigned/,
      );
      await expect(openStorage('s3://bucket?links=presigned&links_endpoint=x')).rejects.toThrow(
        /^STORAGE_URL: links_end/,
      );
      await expect(openStorage('s3://bucket/../x/.y')).rejects.toThrow('not a storage key');
      await expect(openStorage('ftp://host/')).rejects.toThrow(/^STORAGE_URL: ftp:\/\/ is not a supported store/);
      await expect(openStorage('/var/files')).rejects.toThrow(/^STORAGE_URL is not a URL/);
      await expect(openStorage('file://host/files')).rejects.toThrow(/^STORAGE_URL: a file URL has three slashes/);
      await expect(openStorage(pathToFileURL(path.join(folder, 'file')).href)).rejects.toThrow(/cannot be used \(/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
