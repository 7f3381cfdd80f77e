// Bundles the service in the working directory from its source into `dist/service`, which its `dist/main.js` runs. Reading a
// thousand modules would take most of the service's start. Run in an app's folder: node ../../bootstrap/bundle-service.mjs
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';

const folder = path.resolve('dist/service');

/** Packages that load a native library, or files that a bundler does not see, stay in `node_modules`. */
const apart = /^(puppeteer|@bull-board\/|@puppeteer\/browsers|sharp|msgpackr-extract|@ghostery\/|@duckduckgo\/)/;

/** Some of our modules find files by their own path, which bundling would change. This plugin keeps the path of each module. */
const keepOwnPaths = {
  name: 'keep-own-paths',
  transform: {
    filter: { code: 'import.meta', id: { exclude: /node_modules/ } },
    handler(code, id) {
      const at = (file) =>
        `process.getBuiltinModule('node:path').join(__dirname, ${JSON.stringify(path.relative(folder, file))})`;
      const url = `process.getBuiltinModule('node:url').pathToFileURL(${at(id)}).href`;
      const dirname = at(path.dirname(id));
      const replaced = code.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', dirname);
      // The replacement does not change the lines.
      return { code: replaced, map: null };
    },
  },
};

/**
 * V8 compiles a `function` in brackets at once. It parses other functions, and in Node 20 all arrow functions, twice: when they
 * are loaded and when they are called.
 */
const compileAtOnce = {
  name: 'compile-at-once',
  renderChunk: (code) => ({
    // The replacement does not change the lines.
    code: code.replace(/__commonJSMin\(\(\(([^()]*)\) => \{/g, '__commonJSMin((function($1) {'),
    map: null,
  }),
};

await build({
  input: 'src/main.ts',
  platform: 'node',
  external: apart,
  resolve: { conditionNames: ['source', 'node'] },
  plugins: [keepOwnPaths, compileAtOnce],
  output: {
    dir: folder,
    cleanDir: true,
    // Node loads CommonJS, and the packages that stay in `node_modules`, with less work than ES modules.
    format: 'cjs',
    strict: true,
    entryFileNames: '[name].cjs',
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: '[name].cjs',
    // Modules that `main.cjs` loads later have separate chunks.
    codeSplitting: { groups: [{ name: 'packages', test: /node_modules/, entriesAware: true }] },
    comments: { legal: true, jsdoc: false },
  },
});

// Node reads a file with a source map again, so packages have no map. Their stack traces show lines of the bundle.
for (const name of await readdir(folder)) {
  if (!/^packages.*\.cjs$/.test(name)) continue;
  const file = path.join(folder, name);
  await rm(`${file}.map`);
  await writeFile(file, (await readFile(file, 'utf8')).replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'));
}

// Stack traces name the lines of the source. Source maps count only for modules that load after this call.
const main = "process.setSourceMapsEnabled(true);\ncreateRequire(import.meta.url)('./service/main.cjs');\n";
await writeFile('dist/main.js', `import { createRequire } from 'node:module';\n${main}`);
