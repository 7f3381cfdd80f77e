import { describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway('B', { settings: { PUBLIC_URL: 'https://captures.acme.test' } });

const other = await startSharedGateway('A');

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const loadedBy = (page: string) => [...page.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, file = '']) => file);

describe('200', () => {
  it.each(['/docs', '/docs/', '/docs/captures', '/docs/guides/first-screenshot', '/docs/reference/takeScreenshot'])(
    'serves the page at %s, with a policy that allows our own files only',
    async (path) => {
      const { text, headers } = await gateway.http
        .get(path)
        .expect(200)
        .expect('Content-Type', /^text\/html/);
      expect(headers).toMatchObject({
        'content-security-policy': policy,
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(text).not.toMatch(/<script>|<style/);
    },
  );

  it('shows the URL of the service in samples', async () => {
    const { text } = await gateway.http.get('/docs/reference/takeScreenshot');
    expect(text).toContain('https://captures.acme.test/api/v1/screenshot');
    expect(text).not.toContain('public-url.invalid');
  });

  it('serves immutable files, compressed for browsers that accept gzip', async () => {
    const types: Record<string, RegExp> = {
      css: /^text\/css/,
      js: /^text\/javascript/,
      svg: /^image\/svg\+xml$/,
      json: /^application\/json/,
      webp: /^image\/webp$/,
    };
    const { text } = await gateway.http.get('/docs/captures');
    const files = new Set(loadedBy(text));
    // The files are scripts, styles, the icon, the search index, and the images of the page.
    expect(files.size).toBeGreaterThan(6);
    for (const file of files) {
      const { headers } = await gateway.http.get(file).set('Accept-Encoding', 'gzip').expect(200);
      expect(headers['content-type']).toMatch(types[file.split('.').at(-1) ?? ''] ?? /never/);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
      });
    }
  });

  it('compresses pages for browsers that accept gzip', async () => {
    const plain = await gateway.http.get('/docs').set('Accept-Encoding', 'identity');
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const zipped = await gateway.http.get('/docs').set('Accept-Encoding', 'gzip').expect('Content-Encoding', 'gzip');
    expect(zipped.text).toBe(plain.text);
  });

  it('has the operations of its own form only', async () => {
    await gateway.http.get('/docs/reference/listDeliveries').expect(200);
    await other.http.get('/docs/reference/listDeliveries').expect(404);
    await other.http.get('/docs/reference/testWebhook').expect(200);
  });
});

describe('404', () => {
  it('is a page with the navigation', async () => {
    const { text, headers } = await gateway.http
      .get('/docs/nothing')
      .set('Accept', 'text/html,*/*;q=0.8')
      .expect(404)
      .expect('Content-Type', /^text\/html/);
    expect(headers['content-security-policy']).toBe(policy);
    expect(text).toContain('There is no page at this URL.');
  });

  it('is the error body for programs', async () => {
    const { body } = await gateway.http.get('/docs/nothing').set('Accept', '*/*').expect(404);
    expect(body.error_code).toBe('NOT_FOUND');
  });

  it('is the response to every other path', async () => {
    for (const path of [
      '/docs/..%2fA%2findex',
      '/docs/a/b/c',
      '/docs/%2e%2e/A/index',
      '/docs/constructor',
      '/docs/404',
    ]) {
      expect((await gateway.http.get(path)).status).toBe(404);
    }
    await gateway.http.get('/docs/assets/..%2fB%2findex.html').expect(404);
    await gateway.http.get('/docs/assets/nothing.js').expect(404);
  });
});
