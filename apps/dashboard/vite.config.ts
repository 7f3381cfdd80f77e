import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` finds the platform: the page and its API share an origin, as cookies and the policy want it. */
const platform = process.env.DASHBOARD_PLATFORM ?? 'http://localhost:3000';

/** Writes a gzip copy of each asset beside it: the gateway serves the copy to browsers that accept gzip. */
const gzipAssets: Plugin = {
  name: 'gzip-assets',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (!file.fileName.startsWith('assets/')) continue;
        const source = gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 });
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source });
      }
    },
  },
};

export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), gzipAssets],
  // The gateway writes a nonce of its own over this in every page that it serves.
  html: { cspNonce: 'nonce-of-this-page' },
  build: {
    target: 'es2022',
    // Nothing is written into the page itself: the policy allows files of our own alone.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { '/api': platform, '/files': platform, '/openapi.json': platform } },
});
