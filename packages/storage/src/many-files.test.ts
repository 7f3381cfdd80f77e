import { expect, it } from '@jest/globals';
import { removeCaptureFiles } from './many-files.ts';

it('a thumbnail that cannot be removed does not keep its file', async () => {
  const removed: string[] = [];
  const storage = {
    async remove(key: string) {
      if (key.endsWith('.thumbnail.webp')) throw new Error('no access');
      removed.push(key);
    },
  };
  const { error } = await removeCaptureFiles(storage, ['one.png', 'two.pdf']);
  expect(removed.sort()).toEqual(['one.png', 'two.pdf']);
  expect(error).toBeInstanceOf(Error);
});
