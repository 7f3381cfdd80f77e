import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { browserAccount } from '@capture/provisioning/chromium';
import { gpuProcessOf, groupOf, listProcesses } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { browserFolders, chromiumOptions, launchTestChromium, openBrowserFolder } from '../worker.test-support.ts';
import { removeOrphanedBrowsers } from './browser-folder.ts';
import { type ChromiumProcess, launchChromium } from './chromium-process.ts';

function status(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2).map((part) => part.trim())));
}

/** Calls `read` for each process, and leaves out processes that have ended. */
function readEach<Value>(processes: readonly { pid: number }[], read: (pid: number) => Value): Value[] {
  return processes.flatMap(({ pid }) => {
    try {
      return [read(pid)];
    } catch {
      return [];
    }
  });
}

async function gone(pid: number): Promise<void> {
  await waitUntil(() => groupOf(pid).length === 0, { what: 'the browser to be gone' });
}

describe('a Chromium process that runs', () => {
  let chromium: ChromiumProcess;
  beforeAll(async () => {
    process.env.SECRET_OF_THE_TEST = 'must not be seen';
    chromium = await launchTestChromium();
    delete process.env.SECRET_OF_THE_TEST;
  });
  afterAll(async () => {
    await chromium.close();
    await gone(chromium.pid);
  });

  it('gets no variables of the worker, and runs in its sandbox, under an unprivileged account for root', async () => {
    await chromium.browser.newPage();
    const processes = groupOf(chromium.pid);
    const environments = readEach(processes, (pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'));
    expect(environments.join()).toContain('TMPDIR=');
    expect(environments.join()).not.toContain('must not be seen');
    const busOf = (text: string) => /(?<=(?:^|\0)DBUS_SESSION_BUS_ADDRESS=)[^\0]*/.exec(text)?.[0] ?? 'disabled:';
    expect(environments.map(busOf).filter((bus) => !bus.startsWith('disabled:'))).toEqual([]);
    const names = environments.flatMap((text) => text.match(/(?<=^|\0)[A-Z][A-Z_]*(?==)/g) ?? []);
    // The shell of Debian's wrapper adds PWD and the sandbox's variables; Chromium adds two for processes that it starts later.
    const known = ['HOME', 'TMPDIR', 'LANG', 'PWD', 'DBUS_SESSION_BUS_ADDRESS', 'FC_FONTATIONS'];
    const others = names.filter((name) => !known.includes(name) && !name.startsWith('SBX_'));
    expect(others).toEqual([]);

    const account = browserAccount();
    if (account) {
      for (const facts of readEach(processes, status)) {
        expect(facts).toMatchObject({ Uid: Array(4).fill(account.uid).join('\t'), Groups: '' });
      }
    }
    const renderers = () => groupOf(chromium.pid).filter((each) => each.commandLine.includes('--type=renderer'));
    // A renderer enters the sandbox during its start, before it gets content.
    const sandboxed = await waitUntil(
      () => {
        const all = readEach(renderers(), status);
        return all.length > 0 && all.every((each) => each.Seccomp === '2') && all;
      },
      { what: 'all renderers to have a seccomp filter' },
    );
    for (const facts of sandboxed) {
      // Seccomp 2: system calls are filtered. More than one process id: the process is in a PID namespace.
      expect(facts).toMatchObject({ Seccomp: '2', NoNewPrivs: '1' });
      expect(facts.NSpid).toContain('\t');
    }
  });

  it('runs its GPU process without a network and without rights over other processes, and draws WebGL', async () => {
    const page = await chromium.browser.newPage();
    const drawn = await page.evaluate(`(() => {
      const gl = document.createElement('canvas').getContext('webgl2');
      gl.clearColor(1, 0, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      const pixel = new Uint8Array(4);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return pixel.join();
    })()`);
    expect(drawn).toBe('255,0,0,255');
    const gpu = gpuProcessOf(chromium.pid);
    const namespaces = (pid: number | string | undefined) =>
      ['user', 'net', 'ipc'].map((name) => readlinkSync(`/proc/${pid}/ns/${name}`));
    const ours = namespaces('self');
    expect(namespaces(gpu).filter((each) => ours.includes(each))).toEqual([]);
    expect(status(gpu ?? 0)).toMatchObject({ NoNewPrivs: '1' });
  });

  it('listens on no port', async () => {
    const listening = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
    const sockets = listening.filter((fields) => fields[3] === '0A').map((fields) => `socket:[${fields[9]}]`);
    const files = readEach(groupOf(chromium.pid), (pid) => {
      const descriptors = readdirSync(`/proc/${pid}/fd`).map((name) => ({ pid, name }));
      return descriptors.flatMap((each) => readEach([each], () => readlinkSync(`/proc/${pid}/fd/${each.name}`)));
    }).flat();
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => sockets.includes(file))).toEqual([]);
  });
});

describe('a Chromium process', () => {
  afterEach(() => {
    expect(browserFolders()).toEqual([]);
  });

  it.each<[string, (pid: number) => number]>([
    ['the process that we spawned', (pid) => pid],
    ['the browser behind its wrapper', (pid) => main(pid)],
  ])('leaves nothing when %s is killed with -9', async (_, victim) => {
    const chromium = await launchTestChromium();
    await chromium.browser.newPage();
    process.kill(victim(chromium.pid), 'SIGKILL');
    await chromium.ended;
    expect(chromium.alive).toBe(false);
    await gone(chromium.pid);
  });

  it('leaves nothing, and no zombie, when the worker kills it', async () => {
    const chromium = await launchTestChromium();
    chromium.kill();
    await chromium.ended;
    await gone(chromium.pid);
    const zombies = () => listProcesses().filter((each) => each.parent === process.pid && each.zombie);
    await waitUntil(() => zombies().length === 0, { what: 'every ended child to be reaped' });
  });

  it('ends when its worker is killed with -9, and the next worker removes its folder', async () => {
    const place = openBrowserFolder();
    const options = { ...chromiumOptions(), folders: place.path };
    const program = `
      const { launchChromium } = await import(${JSON.stringify(new URL('../../dist/browser/chromium-process.js', import.meta.url).href)});
      const chromium = await launchChromium(${JSON.stringify(options)});
      console.log(chromium.pid);`;
    const worker = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(worker.stdout, 'data');
    const pid = Number(String(line));
    const folders = browserFolders(worker.pid, place.path);
    expect(folders).toHaveLength(1);
    // The folder stays while its worker lives.
    expect(await removeOrphanedBrowsers(place.path)).toEqual([]);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await gone(pid);
    const orphan = path.join(place.path, folders[0]!);
    expect(existsSync(orphan)).toBe(true);
    expect(await removeOrphanedBrowsers(place.path)).toEqual([orphan]);
    expect(existsSync(orphan)).toBe(false);
    place.close();
  });

  it.each([
    ['/nowhere/chromium', null, /^There is no Chromium at \/nowhere\/chromium\.$/],
    ['closed', 'not executable', /cannot be run by .*: no permission for the file or a folder above it\.$/],
    [
      'no-sandbox',
      '#!/bin/sh\necho "[1:2:FATAL] No usable sandbox! Update" >&2\nexit 1\n',
      /^Chromium's sandbox cannot start/,
    ],
    [
      'broken',
      '#!/bin/sh\necho "missing libnss3.so" >&2\nexit 127\n',
      /ended with code 127 \(it printed: missing libnss3\.so\)\.$/,
    ],
  ])('explains why it does not start: %s', async (name, content, message) => {
    // The browser's account may enter this folder, but not the folder of a test run.
    const folder = await mkdtemp(path.join(tmpdir(), 'chromium-test-'));
    await chmod(folder, 0o755);
    const executablePath = path.resolve(folder, name);
    if (content !== null) await writeFile(executablePath, content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
    try {
      await expect(launchChromium({ ...chromiumOptions(), executablePath })).rejects.toThrow(message);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** The browser's main process: the only process in the group without a `--type`. */
function main(pid: number): number {
  const processes = groupOf(pid).filter((each) => !each.commandLine.includes('--type='));
  return processes.at(-1)?.pid ?? pid;
}
