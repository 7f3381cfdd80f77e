import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds the platform: the page and its API share an origin, as cookies and the policy want it. */
const platform = process.env.DASHBOARD_PLATFORM ?? 'http://localhost:3000';

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
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
