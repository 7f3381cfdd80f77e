import path from 'node:path';
import { findOwnPort } from '@capture/testing/network/own-port';
import { startProcess } from '@capture/testing/processes/processes';
import { expect, it } from '@jest/globals';

it('serves one self-contained page, and nothing else', async () => {
  const port = await findOwnPort();
  const file = path.join(import.meta.dirname, '..', 'dist', 'sample-page.js');
  const listener = startProcess({
    name: 'sample page',
    args: [file],
    env: { SAMPLE_PAGE_PORT: String(port) },
    ipc: true,
  });
  await listener.waitForOutput(/"ipc":\{"type":"ready"\}/);
  const page = await fetch(`http://127.0.0.1:${port}/`);
  const html = await page.text();
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(html).toContain('<title>Your first capture</title>');
  expect(html).not.toMatch(/(?:src|href)="|@import|url\((?!#)/);
  expect((await fetch(`http://127.0.0.1:${port}/?utm_source=mail`)).status).toBe(200);
  for (const [method, target] of [
    ['GET', '/other'],
    ['GET', '/other?a=1'],
    ['POST', '/'],
  ]) {
    expect((await fetch(`http://127.0.0.1:${port}${target}`, { method: method as string })).status).toBe(404);
  }
  expect(await listener.stop()).toEqual({ code: 0, signal: null });
});
