import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Libraries that run in the page's isolated world, in the browser's sandbox: what they read is the page's. Each is set as a
 * property of `captureLibraries`.
 */
const packages = {
  Readability: ['@mozilla/readability', 'Readability.js'],
  Turndown: ['turndown', 'lib/turndown.browser.cjs.js'],
  gfm: ['@joplin/turndown-plugin-gfm', 'lib/turndown-plugin-gfm.cjs.js'],
  mathml: ['mathml-to-latex', 'dist/bundle.min.js'],
} as const;

export type Library = keyof typeof packages;

/** What the libraries export, as our scripts use it. */
export interface Libraries {
  Readability: new (document: Document, options: object) => { parse(): { content: Element | null } | null };
  Turndown: new (options: object) => TurndownService;
  gfm: { gfm(service: TurndownService): void };
  mathml: { MathMLToLaTeX: { convert(mathml: string): string } };
}

export interface TurndownService {
  use(plugin: (service: TurndownService) => void): this;
  addRule(name: string, rule: object): this;
  escape(text: string): string;
  turndown(root: Node): string;
}

const sources = new Map<Library, Promise<string>>();

/** The script that loads a library into a world, unless it is there already. */
export function librarySource(name: Library): Promise<string> {
  let source = sources.get(name);
  if (!source) {
    source = read(name);
    sources.set(name, source);
  }
  return source;
}

async function read(name: Library): Promise<string> {
  const [owner, file] = packages[name];
  const manifest = createRequire(import.meta.url).resolve(`${owner}/package.json`);
  const source = await readFile(path.join(path.dirname(manifest), file), 'utf8');
  return `{
    const libraries = (globalThis.captureLibraries ??= {});
    libraries.${name} ??= (() => {
      const module = { exports: {} };
      ((module, exports) => {\n${source}\n})(module, module.exports);
      return module.exports;
    })();
  }`;
}
