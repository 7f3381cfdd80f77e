// Bundles the service in the working directory from its source into `dist/service`, which its `dist/main.js` runs. Reading a
// thousand modules would take most of its start. In an app's folder: node ../../bootstrap/bundle-service.mjs
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';

const folder = path.resolve('dist/service');

/** Packages that load a native library, or files that a bundler does not see. They stay in `node_modules`. */
const apart = /^(puppeteer|@bull-board\/|@puppeteer\/browsers|sharp|msgpackr-extract|@ghostery\/|@duckduckgo\/)/;

/** Modules of ours find files by their own path, which the bundle replaces: it keeps the path of each. */
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
      // The lines stay the same.
      return { code: replaced, map: null };
    },
  },
};

/** V8 compiles a `function` in brackets at once. Others, in Node 20 all arrow functions, it reads now and again when they are called. */
const compileAtOnce = {
  name: 'compile-at-once',
  renderChunk: (code) => ({
    // The lines stay the same.
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
    // Node loads it, and the packages that stay apart, with less work than as ES modules.
    format: 'cjs',
    strict: true,
    entryFileNames: '[name].cjs',
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: '[name].cjs',
    // What `main.cjs` loads later has chunks of its own.
    codeSplitting: { groups: [{ name: 'packages', test: /node_modules/, entriesAware: true }] },
    comments: { legal: true, jsdoc: false },
  },
});

// For each file with a map Node reads all of it again. Stack traces leave packages as they are.
for (const name of await readdir(folder)) {
  if (!/^packages.*\.cjs$/.test(name)) continue;
  const file = path.join(folder, name);
  await rm(`${file}.map`);
  await writeFile(file, (await readFile(file, 'utf8')).replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'));
}

// Stack traces name the lines of the source; maps count only for modules that load afterwards.
const main = "process.setSourceMapsEnabled(true);\ncreateRequire(import.meta.url)('./service/main.cjs');\n";
await writeFile('dist/main.js', `import { createRequire } from 'node:module';\n${main}`);
