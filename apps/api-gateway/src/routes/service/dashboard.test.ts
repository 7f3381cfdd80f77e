import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../test-gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

const scriptOf = (page: string) => /src="(\/dashboard\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';

describe('200', () => {
  it.each(['/dashboard', '/dashboard/', '/dashboard/captures/req_1?a=b', '/dashboard/assets'])(
    'serves the page at %s, with a policy that allows our own files only',
    async (address) => {
      const { text, headers } = await gateway.http.get(address).expect(200).expect('Cache-Control', 'no-store');
      const [, nonce = ''] = /property="csp-nonce" nonce="([^"]+)"/.exec(text) ?? [];
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src blob:; object-src blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      );
      expect(nonce).toMatch(/^[\w+/]{22}==$/);
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/);
    },
  );

  it('has a new nonce each time', async () => {
    const pages = await Promise.all([gateway.http.get('/dashboard'), gateway.http.get('/dashboard')]);
    expect(new Set(pages.map(({ headers }) => headers['content-security-policy'])).size).toBe(2);
  });

  it('serves immutable assets, compressed for browsers that accept gzip', async () => {
    const { text: page } = await gateway.http.get('/dashboard');
    const script = scriptOf(page);
    const plain = await gateway.http.get(script).set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const zipped = await gateway.http
      .get(script)
      .set('Accept-Encoding', 'gzip')
      .buffer(true)
      .parse((response, done) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(Buffer.from(part)));
        response.on('end', () => done(null, Buffer.concat(parts)));
      })
      .expect('Content-Encoding', 'gzip');
    const bytes: Buffer = zipped.body;
    // The client may already have decompressed the file.
    const unpacked = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
    expect(unpacked.equals(Buffer.from(plain.text ?? plain.body))).toBe(true);
  });
});

describe('404', () => {
  it.each([
    '/dashboard/assets/nothing.js',
    '/dashboard/assets/..%2findex.html',
    '/dashboard/assets/..%2f..%2fpackage.json',
    '/dashboard/assets/%2e%2e%2f%2e%2e%2fsrc%2fmain.tsx',
    '/dashboard/assets/constructor',
  ])('returns 404 for %s', async (address) => {
    await gateway.http.get(address).expect(404);
  });
});

describe('405', () => {
  it('allows GET only', async () => {
    await gateway.http.post('/dashboard').expect(405).expect('Allow', 'GET');
  });
});
