import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';

/** Returns the output of lint/check-words.mjs about one file. */
async function check(name: string, text: string): Promise<string[]> {
  const folder = makeTestFolder('words');
  writeFileSync(path.join(folder, name), text);
  // This program replaces git and lists the file.
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'git'), `#!/bin/sh\nprintf '%s\\0' ${name}\n`);
  chmodSync(path.join(bin, 'git'), 0o755);
  const args = [path.join(repositoryRoot, 'lint', 'check-words.mjs')];
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const child = startProcess({ name: 'check-words', args, cwd: folder, env });
  const { code } = await child.exited;
  const lines = child.output().split('\n').filter(Boolean);
  expect(code).toBe(lines.length > 0 ? 1 : 0);
  return lines.slice(0, -1).map((line) => line.replace(/: write .*/, ''));
}

it.each([
  ['a.md', 'A line.\nA picture.\n', ['a.md:2: “picture”']],
  ['a.md', 'The attempts are given\nup at last.\n', ['a.md:1: “given up”']],
  ['a.ts', '// x\n  /**\n   * Deliveries are given\n   * up.\n   */\n', ['a.ts:3: “given * up”']],
  ['a.ts', 'const answerMs = 1;\n', ['a.ts:1: “answer”']],
  ['a.sql', 'SELECT sent_shots\n', ['a.sql:1: “shots”']],
  ['take-picture.ts', 'export {};\n', ['take-picture.ts (its name): “picture”']],
  ['a.ts', 'const shotgun = screenshot ?? desktopSize; // a given way: up\n', []],
])('finds in %s: %j', async (name, text, found) => {
  expect(await check(name, text)).toEqual(found);
});
