import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { browserFolders, openForTests } from '../worker.test-support.ts';

/** All permission names of browsers. A query of a permission that Chromium does not support fails. */
const permissions = [
  'accelerometer',
  'ambient-light-sensor',
  'background-fetch',
  'background-sync',
  'camera',
  'captured-surface-control',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'geolocation',
  'gyroscope',
  'idle-detection',
  'keyboard-lock',
  'local-fonts',
  'local-network-access',
  'magnetometer',
  'microphone',
  'midi',
  'nfc',
  'notifications',
  'payment-handler',
  'periodic-background-sync',
  'persistent-storage',
  'pointer-lock',
  'push',
  'screen-wake-lock',
  'window-management',
];

describe('a page that requests permissions', () => {
  let states: Record<string, string>;
  const html = `<!doctype html><body><script>
      const query = async (name) => {
        const more = name === 'push' ? { userVisibleOnly: true } : name === 'midi' ? { sysex: true } : {};
        const { state } = await navigator.permissions.query({ name, ...more }).catch(() => ({ state: 'none' }));
        return [name, state];
      };
      Promise.all(${JSON.stringify(permissions)}.map(query))
        .then((states) => fetch('/states', { method: 'POST', body: JSON.stringify(Object.fromEntries(states)) }))
        .then(() => document.body.append(Object.assign(document.createElement('p'), { id: 'tried' })));
    </script>`;
  const { server, worker } = openForTests(
    {
      '/permissions': html,
      '/states': async (request, response) => {
        states = (await json(request)) as typeof states;
        response.end();
      },
    },
    { viewport: { width: 640, height: 400 } },
  );

  const inState = (state: string) => Object.keys(states).filter((name) => states[name] === state);

  it('is denied all of them', async () => {
    await worker.capture(server.url('/permissions'), { wait_for_selector: '#tried' });
    expect([inState('granted'), inState('prompt')]).toEqual([[], []]);
    expect(inState('denied')).toEqual(
      expect.arrayContaining(['camera', 'geolocation', 'notifications', 'clipboard-read']),
    );
  });

  it('is granted geolocation if the request sets one, and nothing else', async () => {
    const geolocation = { latitude: 1, longitude: 2 };
    await worker.capture(server.url('/permissions'), { wait_for_selector: '#tried', geolocation });
    expect([inState('granted'), inState('prompt')]).toEqual([['geolocation'], []]);
    await worker.capture(server.url('/permissions'), { wait_for_selector: '#tried' });
    expect(inState('granted')).toEqual([]);
  });

  it('opens no file chooser, prompt or window, not even on a click', async () => {
    const buttons = {
      file: `Object.assign(document.createElement('input'), { type: 'file' }).click()`,
      folder: 'showDirectoryPicker()',
      save: 'showSaveFilePicker()',
      usb: 'navigator.usb.requestDevice({ filters: [] })',
      serial: 'navigator.serial.requestPort()',
      camera: 'navigator.mediaDevices.getUserMedia({ video: true, audio: true })',
      screen: 'navigator.mediaDevices.getDisplayMedia()',
      window: `window.open('/opened')`,
      printer: 'print()',
    };
    const html = Object.entries(buttons).map(([id, code]) => `<button id="${id}" onclick="${code}">${id}</button>`);
    server.serve({ '/buttons': `<!doctype html>${html.join('')}`, '/opened': 'opened' });
    const click = Object.keys(buttons).map((id) => `#${id}`);
    await worker.capture(server.url('/buttons'), { click, timeout_ms: 60_000 });
    expect(server.hits('/opened')).toBe(0);
  });

  it('leaves no downloaded file on disk, from navigation, clicks or frames', async () => {
    const marker = 'content of the download'.repeat(100);
    const name = `capture-download-${randomBytes(6).toString('hex')}`;
    const attachment = {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename=${name}.txt`,
    };
    server.serve({
      '/file': { headers: attachment, body: marker },
      '/clicks': `<!doctype html><a id="file" href="/file" download>x</a><a id="blob" download="${name}-blob.txt">y</a>
        <iframe src="/file"></iframe>
        <script>
          blob.href = URL.createObjectURL(new Blob(['${marker}']));
          onload = () => { file.click(); blob.click() };
        </script>`,
    });
    await worker.cells.current();
    expect(await worker.fail(server.url('/file'))).toMatchObject({ code: 'NAVIGATION_FAILED' });
    const { report } = await worker.capture(server.url('/clicks'), { click: ['#file', '#blob'], delay_ms: 300 });
    expect(report.finalUrl).toBe(server.url('/clicks'));
    expect(server.hits('/file')).toBeGreaterThanOrEqual(2);
    const folders = browserFolders();
    expect(folders.length).toBeGreaterThan(0);
    expect(readdirSync(tmpdir()).filter((each) => each.startsWith(name))).toEqual([]);
    for (const folder of folders) expect(filesWith(marker, path.join(tmpdir(), folder))).toEqual([]);
  });
});

/** Lists the files below a folder that contain this text; skips sockets and files that disappear meanwhile. */
function filesWith(text: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((name) => {
      try {
        return readFileSync(name).includes(text);
      } catch {
        return false;
      }
    });
}
