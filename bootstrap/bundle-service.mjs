// Bundles the service in the working directory from its source into `dist/service`, which its `dist/main.js` runs. Reading a
// thousand modules would take most of its start. In an app's folder: node ../../bootstrap/bundle-service.mjs
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';

const folder = path.resolve('dist/service');

/** Packages that load a native library, or files that a bundler does not see. They stay in `node_modules`. */
const apart = /^(puppeteer|@bull-board\/|@puppeteer\/browsers|sharp|msgpackr-extract|@ghostery\/|@duckduckgo\/)/;

/** A map of our code alone, so that reading it takes no time to speak of. */
const mapOwnCode = {
  name: 'map-own-code',
  transform: {
    filter: { id: /node_modules/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/** Modules of ours find files by their own path, which the bundle replaces: it keeps the path of each. */
const keepOwnPaths = {
  name: 'keep-own-paths',
  transform: {
    filter: { code: 'import.meta', id: { exclude: /node_modules/ } },
    handler(code, id) {
      const url = `new URL(${JSON.stringify(path.relative(folder, id))}, import.meta.url).href`;
      const parent = JSON.stringify(path.relative(folder, path.dirname(id)));
      const dirname = `process.getBuiltinModule('node:path').join(import.meta.dirname, ${parent})`;
      const replaced = code.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', dirname);
      // The lines stay the same.
      return { code: replaced, map: null };
    },
  },
};

await build({
  input: 'src/main.ts',
  platform: 'node',
  external: apart,
  resolve: { conditionNames: ['source', 'node'] },
  plugins: [keepOwnPaths, mapOwnCode],
  output: {
    dir: folder,
    cleanDir: true,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: '[name].js',
    comments: { legal: true, jsdoc: false },
  },
});

// Node takes what a map leaves out for the last line before it that has a place. A segment of one field has none.
for (const name of await readdir(folder)) {
  if (!name.endsWith('.map')) continue;
  const map = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
  const lines = map.mappings.split(';');
  map.mappings = lines.map((line, index) => (line === '' && lines[index - 1] !== '' ? 'A' : line)).join(';');
  await writeFile(path.join(folder, name), JSON.stringify(map));
}

// Stack traces name the lines of the source; maps count only for modules that load afterwards.
await writeFile('dist/main.js', "process.setSourceMapsEnabled(true);\nawait import('./service/main.js');\n");
