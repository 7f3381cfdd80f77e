import type { ServerResponse } from 'node:http';
import { contractForm } from '@capture/contract/forms/forms';
import { describe, expect, it } from '@jest/globals';
import { openForTests, readPixels } from '../worker.test-support.ts';

/** This half has enough text that the parser shows the first part before the connection ends. */
const half = `<!doctype html><title>Half</title><body style="margin:0;background:#fff">
<div style="height:200px;background:#00aa00"></div>${'<p>The first half of an article.</p>'.repeat(200)}`;

/** Sends the first half, then ends the connection as `how` says. */
const cutOff = (how: 'length' | 'chunked' | 'reset') => (_: unknown, response: ServerResponse) => {
  response.writeHead(200, {
    'content-type': 'text/html',
    ...(how === 'length' && { 'content-length': half.length * 2 }),
  });
  response.write(half, () => {
    setTimeout(() => (how === 'reset' ? response.socket?.resetAndDestroy() : response.socket?.destroy()), 100);
  });
};

const whole = `${half}<div style="height:100px;background:#0000aa"></div>`;

const { server, worker } = openForTests({}, { account: 'account', viewport: { width: 400, height: 300 } });

describe('a document that is cut off in the middle', () => {
  it.each(['length', 'chunked', 'reset'] as const)('fails the navigation (%s), after one more try', async (how) => {
    const path = `/${how}`;
    server.serve({ [path]: cutOff(how) });
    const started = performance.now();
    const failure = await worker.failRender('screenshot', { url: server.url(path) });
    expect(failure).toMatchObject({ code: 'NAVIGATION_FAILED', message: expect.stringContaining('complete page') });
    expect(failure.report.tries).toBe(2);
    expect(server.hits(path)).toBe(2);
    // The time is far below any time limit of a wait, so the capture did not wait.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('fails with the error code of API profile A as well', async () => {
    server.serve({ '/profile-a': cutOff('length') });
    const failure = await worker.failRender('screenshot', { url: server.url('/profile-a') }, contractForm('A'));
    expect(failure.code).toBe('URL_UNREACHABLE');
  });

  it('fails too if the rest is announced and never arrives', async () => {
    server.serve({
      '/stalled': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': half.length * 2 });
        response.write(half);
      },
    });
    expect((await worker.failRender('screenshot', { url: server.url('/stalled') })).code).toBe('NAVIGATION_FAILED');
  });

  it('is captured as far as it arrived, with accept_truncated', async () => {
    server.serve({ '/accepted': cutOff('length') });
    const { image, report } = await worker.capture(server.url('/accepted'), { accept_truncated: true });
    expect((await readPixels(image)).at(10, 10)).toBe('#00aa00');
    expect(report.quality).toEqual({ ok: false, reasons: ['truncated'], repaired: [] });
  });

  it('is repaired if it arrives at the second try', async () => {
    let requests = 0;
    server.serve({
      '/once': (request, response) => {
        requests += 1;
        if (requests === 1) cutOff('length')(request, response);
        else response.writeHead(200, { 'content-type': 'text/html' }).end(whole);
      },
    });
    const { report } = await worker.capture(server.url('/once'));
    expect(report).toMatchObject({ tries: 2, quality: { ok: true, reasons: [], repaired: ['truncated'] } });
  });

  it('does not count as cut off when a script leads to another page', async () => {
    server.serve({
      '/leaves': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': 100_000 });
        response.write('<!doctype html><script>location.href = "/there"</script>');
        setTimeout(() => response.socket?.destroy(), 500);
      },
      '/there': '<body style="background:#0000aa">there',
    });
    const { image } = await worker.capture(server.url('/leaves'));
    expect((await readPixels(image)).at(300, 250)).toBe('#0000aa');
  });
});

describe('a document that never ends', () => {
  it('MJPEG is captured with its first images', async () => {
    const { default: sharp } = await import('sharp');
    const create = { width: 320, height: 240, channels: 3, background: '#cc0000' } as const;
    const jpeg = await sharp({ create }).jpeg().toBuffer();
    server.serve({
      '/camera': (_, response) => {
        response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=frame' });
        const send = () => {
          response.write(`--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`);
          response.write(jpeg);
          response.write('\r\n');
        };
        send();
        const timer = setInterval(send, 100);
        response.on('close', () => clearInterval(timer));
      },
    });
    const started = performance.now();
    const { image, report } = await worker.capture(server.url('/camera'));
    expect((await readPixels(image)).at(200, 150)).toMatch(/^#c[0-9a-f]000[0-9]$/);
    expect(performance.now() - started).toBeLessThan(9_000);
    expect(report.quality?.reasons).toEqual([]);
  });
});

describe('the status of a page that speculation rules fetched ahead', () => {
  const rules = (kind: string) => `<!doctype html><p>first</p>
    <script type="speculationrules">{"${kind}":[{"urls":["/next"],"eagerness":"immediate"}]}</script>
    <script>addEventListener('load', () => setTimeout(() => { location.href = '/next' }, 800))</script>`;

  it.each(['prefetch', 'prerender'])('is known, and fail_on_status applies to it (%s)', async (kind) => {
    const path = `/${kind}`;
    server.serve({ [path]: rules(kind), '/next': { status: 203, body: '<body style="background:#0000aa">next' } });
    const { image, report } = await worker.capture(server.url(path), { delay_ms: 1_500 });
    expect((await readPixels(image)).at(300, 250)).toBe('#0000aa');
    expect(report).toMatchObject({ httpStatus: 203, tries: 1, quality: { ok: true }, failures: [] });
    const failure = await worker.fail(server.url(path), { delay_ms: 1_500, fail_on_status: [203] });
    expect(failure.code).toBe('HTTP_STATUS');
  });
});
