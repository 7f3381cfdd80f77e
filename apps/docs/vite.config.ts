import { defineConfig } from 'vite';

/** Builds the scripts, styles and fonts of the pages, which Eleventy writes. */
export default defineConfig({
  base: '/docs/',
  build: {
    outDir: 'dist/client',
    target: 'es2022',
    manifest: 'manifest.json',
    // The policy allows files of our own alone.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: { input: ['src/client/main.ts', 'src/client/color-scheme.ts', 'src/client/site.css'] },
  },
});
