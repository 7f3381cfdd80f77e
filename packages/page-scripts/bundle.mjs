// Bundles the scripts that run in pages into `dist/scripts.json`, as the texts that `src/scripts.ts` sends to the browser.
//
// Each file directly in `src/world` is a room: the functions that it exports are installed together in our world of a
// document. Each file directly in `src/document-start` is a script of its own: its default export runs before the scripts of
// a page. Folders hold the parts of both.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = import.meta.dirname;

/** @returns {Promise<string[]>} the names of the files directly in a folder of `src`, without their ending. */
async function entriesIn(folder) {
  const entries = await readdir(path.join(root, 'src', folder), { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /^[\w-]+\.ts$/.test(entry.name));
  return files.map(({ name }) => name.slice(0, -'.ts'.length)).sort();
}

/** Bundles a module into a statement that declares `script`, an object of its exports. */
async function bundle(file) {
  const { output } = await build({
    input: path.join(root, 'src', file),
    platform: 'browser',
    write: false,
    resolve: { conditionNames: ['source', 'browser'] },
    output: {
      format: 'iife',
      name: 'script',
      exports: 'named',
      // Names stay, so that the stack of an error can be read.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      comments: false,
    },
  });
  const [{ code, exports }] = output;
  return { code, exports };
}

async function bundleRoom(name) {
  const { code, exports } = await bundle(`world/${name}.ts`);
  const world = "(globalThis[Symbol.for('capture')] ??= { scripts: {}, state: {} })";
  return { functions: exports, text: `Object.assign(${world}.scripts, (() => { ${code}\nreturn script; })());` };
}

async function bundleScript(name) {
  const { code } = await bundle(`document-start/${name}.ts`);
  return `((input) => { ${code}\nreturn script.default(input); })`;
}

/** Writes `dist/scripts.json`. */
export async function bundlePageScripts() {
  const [rooms, scripts] = await Promise.all([entriesIn('world'), entriesIn('document-start')]);
  const all = { rooms: {}, documentStart: {} };
  for (const name of rooms) all.rooms[name] = await bundleRoom(name);
  for (const name of scripts) all.documentStart[name] = await bundleScript(name);
  const functions = Object.values(all.rooms).flatMap((room) => room.functions);
  const twice = functions.find((name, index) => functions.indexOf(name) !== index);
  if (twice) throw new Error(`Two rooms of src/world export a function ${twice}: give one of them another name.`);
  await mkdir(path.join(root, 'dist'), { recursive: true });
  await writeFile(path.join(root, 'dist/scripts.json'), JSON.stringify(all));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePageScripts();
