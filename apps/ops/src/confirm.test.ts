import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { confirm } from './confirm.ts';
import { UsageError } from './exit-codes.ts';

function terminal(typed: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(typed);
  return { input, output: new PassThrough() };
}

describe('confirm', () => {
  it.each([
    ['y\n', true],
    ['Yes\n', true],
    ['n\n', false],
    ['\n', false],
    ['yesterday\n', false],
    ['', false],
  ])('reads %j as %j', async (typed, expected) => {
    const streams = terminal(typed);
    expect(await confirm('Delete it?', streams)).toBe(expected);
    expect(String(streams.output.read())).toContain('Delete it? [y/N]');
  });

  it('fails when standard input is no terminal', async () => {
    await expect(confirm('Delete it?', terminal('y\n', false))).rejects.toThrow(UsageError);
  });
});
