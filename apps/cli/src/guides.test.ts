import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startProcess } from '@capture/testing/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { openPlatform, type PlatformUnderTest } from './platform.test-support.ts';

jest.setTimeout(400_000);

let platform: PlatformUnderTest;

beforeAll(async () => {
  platform = await openPlatform({ OPERATOR_KEY: operatorKey });
  for (const place of ['/', '/about', '/phone'])
    platform.pages.serve({ [place]: `<title>${place}</title><p>${place}` });
});
afterAll(() => platform.close());

const operatorKey = 'an-operator-key-of-more-than-32-characters';

/** The commands of a guide that are there to be pasted as they stand: its blocks of `sh`. */
function commandsOf(guide: string): string {
  const text = readFileSync(path.join(repositoryRoot, 'docs', 'guides', guide), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1]);
  return blocks
    .join('\n')
    .replaceAll('http://localhost:3000', platform.url)
    .replaceAll(/https:\/\/example\.com\/?(\w*)/g, (_, name) => platform.pages.url(`/${name}`));
}

it('a first picture and a batch from a CSV can be pasted as they stand', async () => {
  const folder = makeTestFolder('guides');
  const commands = ['first-picture.md', 'batch-from-csv.md'].map(commandsOf).join('\n');
  // npm finds the checkout by its folder; a reader stands in it.
  const script = `npm() { command npm --prefix "${repositoryRoot}" "$@"; }\n${commands}`;
  const shell = startProcess({
    name: 'the guides',
    command: 'bash',
    args: ['-euo', 'pipefail', '-c', script],
    cwd: folder,
    env: { OPERATOR_KEY: operatorKey, PUBLIC_URL: platform.url, XDG_CONFIG_HOME: folder },
  });
  const { code } = await shell.exited;
  expect([code, shell.output()]).toEqual([0, expect.stringContaining('3 of 3 captured')]);
  const beginning = (name: string) => readFileSync(path.join(folder, name)).subarray(0, 12).toString('latin1');
  for (const name of ['picture.png', 'whole.png', 'card.png']) expect(beginning(name)).toContain('PNG');
  expect(beginning('page.pdf')).toContain('%PDF');
  for (const name of ['home', 'about', 'phone']) expect(beginning(`shots/${name}.webp`)).toContain('WEBP');
  expect(shell.output()).toContain('"receipt":');
  expect(shell.output()).toContain('"batch_id":"batch_');
});
