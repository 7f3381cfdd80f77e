import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findChromium } from './chromium.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'chromium-test-'));
  chmodSync(folder, 0o755);
});

afterEach(() => rmSync(folder, { recursive: true }));

function writeProgram(file: string, script: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

describe('findChromium', () => {
  it('finds the real Chromium', async () => {
    const chromium = await findChromium({ ...process.env, PUPPETEER_EXECUTABLE_PATH: process.env.TEST_CHROMIUM_PATH });
    expect(chromium).toMatchObject({ path: process.env.TEST_CHROMIUM_PATH });
    expect(chromium?.version).toMatch(/\d+\.\d+/);
  });

  it('prefers the configured Chromium, and recognizes a headless shell', async () => {
    const named = writeProgram(path.join(folder, 'chrome-headless-shell'), 'echo Google Chrome for Testing 150.0.1.2');
    expect(await findChromium({ ...process.env, PUPPETEER_EXECUTABLE_PATH: named })).toEqual({
      path: named,
      version: 'Google Chrome for Testing 150.0.1.2',
      shell: true,
    });
  });

  it('rejects a configured Chromium that does not run, instead of using another', async () => {
    const named = writeProgram(path.join(folder, 'chromium'), 'echo "requires the chromium snap" >&2; exit 1');
    await expect(findChromium({ ...process.env, PUPPETEER_EXECUTABLE_PATH: named })).rejects.toThrow(
      /PUPPETEER_EXECUTABLE_PATH names .*requires the chromium snap/,
    );
  });

  it("prefers Puppeteer's own cache to the machine's", async () => {
    const platform = { linux: 'linux', darwin: process.arch === 'arm64' ? 'mac_arm' : 'mac' }[
      process.platform as 'linux'
    ];
    const inside = { linux: 'linux64', mac: 'mac-x64', mac_arm: 'mac-arm64' }[platform as 'linux'];
    const cached = writeProgram(
      path.join(
        folder,
        'chrome-headless-shell',
        `${platform}-150.0.1.2`,
        `chrome-headless-shell-${inside}`,
        'chrome-headless-shell',
      ),
      'echo HeadlessChrome 150.0.1.2',
    );
    expect(await findChromium({ ...process.env, PUPPETEER_CACHE_DIR: folder })).toMatchObject({ path: cached });
  });

  it('skips a Chromium that its account cannot reach', async () => {
    const closed = path.join(folder, 'closed');
    writeProgram(path.join(closed, 'chromium-headless-shell'), 'echo Chromium 150.0.1.2');
    const env = { PATH: closed, PUPPETEER_CACHE_DIR: path.join(folder, 'none') };
    chmodSync(closed, 0o700);
    expect(await findChromium(env, null)).toMatchObject({ path: path.join(closed, 'chromium-headless-shell') });
    if (process.geteuid?.() !== 0) return;
    const found = await findChromium(env, { uid: 65_534, gid: 65_534 });
    expect(found?.path).not.toContain(folder);
  });
});
