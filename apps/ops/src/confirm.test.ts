import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { confirm } from './confirm.ts';
import { UsageError } from './exit-codes.ts';

function terminal(typed: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(typed);
  return { input, output: new PassThrough() };
}

describe('a question at the terminal', () => {
  it.each([
    ['y\n', true],
    ['Yes\n', true],
    ['n\n', false],
    ['\n', false],
    ['yesterday\n', false],
    ['', false],
  ])('%j is %j', async (typed, expected) => {
    const at = terminal(typed);
    expect(await confirm('Delete it?', at)).toBe(expected);
    expect(String(at.output.read())).toContain('Delete it? [y/N]');
  });

  it('is not asked where nobody sits', async () => {
    await expect(confirm('Delete it?', terminal('y\n', false))).rejects.toThrow(UsageError);
  });
});
