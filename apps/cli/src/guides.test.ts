import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openPlatform, type PlatformUnderTest } from './platform.test-support.ts';

jest.setTimeout(400_000);

let platform: PlatformUnderTest;

beforeAll(async () => {
  platform = await openPlatform({ OPERATOR_KEY: operatorKey });
  for (const route of ['/', '/about', '/phone'])
    platform.pages.serve({ [route]: `<title>${route}</title><p>${route}` });
});
afterAll(() => platform.close());

const operatorKey = 'an-operator-key-of-more-than-32-characters';

/** The `sh` blocks of a guide. */
function commandsOf(guide: string): string {
  const text = readFileSync(path.join(repositoryRoot, 'docs', 'guides', guide), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1]);
  return blocks
    .join('\n')
    .replaceAll('http://localhost:3000', platform.url)
    .replaceAll(/https:\/\/example\.com\/?(\w*)/g, (_, name) => platform.pages.url(`/${name}`));
}

it('the commands of the guides work as written', async () => {
  const folder = makeTestFolder('guides');
  const commands = ['first-screenshot.md', 'batch-from-csv.md'].map(commandsOf).join('\n');
  // Readers run npm in the checkout.
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
  const headOf = (name: string) => readFileSync(path.join(folder, name)).subarray(0, 12).toString('latin1');
  for (const name of ['page.png', 'full-page.png', 'card.png']) expect(headOf(name)).toContain('PNG');
  expect(headOf('page.pdf')).toContain('%PDF');
  for (const name of ['home', 'about', 'phone']) expect(headOf(`captures/${name}.webp`)).toContain('WEBP');
  expect(shell.output()).toContain('"receipt":');
  expect(shell.output()).toContain('"batch_id":"batch_');
});

describe('the example client for batches', () => {
  /** Runs the example in its own folder. */
  async function runClient(apiKey: string, urls: readonly string[]) {
    const folder = makeTestFolder('client');
    const client = startProcess({
      name: 'the client',
      args: [path.join(repositoryRoot, 'docs', 'examples', 'batch.mjs'), ...urls],
      cwd: folder,
      env: { CAPTURE_API_KEY: apiKey, CAPTURE_SERVER: platform.url },
    });
    const { code } = await client.exited;
    return { code, output: client.output(), folder };
  }

  it('submits, polls, downloads, and reports failures', async () => {
    const { apiKey } = await platform.newAccount();
    const gone = 'http://127.0.0.1:1/';
    const pages = ['/', '/about', '/phone'].map((route) => platform.pages.url(route));
    const { code, output, folder } = await runClient(apiKey, [...pages, gone]);
    expect([code, output]).toEqual([0, expect.stringContaining(`4 of 4\n${gone}: URL_BLOCKED\n`)]);
    const files = readdirSync(path.join(folder, 'captures'));
    expect(files).toHaveLength(3);
    for (const file of files) {
      expect(file).toMatch(/^req_\w+\.png$/);
      expect(readFileSync(path.join(folder, 'captures', file)).toString('latin1', 1, 4)).toBe('PNG');
    }
  });

  it('waits for the rate limit, but not for the next month', async () => {
    const { id, apiKey } = await platform.newAccount('free');
    const url = platform.pages.url('/');
    const runs = await Promise.all([runClient(apiKey, [url]), runClient(apiKey, [url]), runClient(apiKey, [url])]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);

    await platform.database.pool.query('UPDATE usage SET used = 199 WHERE account_id = $1', [id]);
    const { code, output } = await runClient(apiKey, [url, url]);
    expect([code, output]).toEqual([1, expect.stringContaining('QUOTA_EXCEEDED')]);
  });
});
