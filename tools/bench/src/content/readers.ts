import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'puppeteer';
import type { DocumentPage } from './documents.ts';

const packages = {
  Readability: ['@mozilla/readability', 'Readability.js'],
  Turndown: ['turndown', 'lib/turndown.browser.cjs.js'],
  gfm: ['@joplin/turndown-plugin-gfm', 'lib/turndown-plugin-gfm.cjs.js'],
} as const;

/** A script that sets `libraries` to the libraries that are measured for comparison. */
const libraries = Object.entries(packages).map(([name, [owner, file]]) => {
  const manifest = createRequire(import.meta.url).resolve(`${owner}/package.json`);
  const source = readFileSync(path.join(path.dirname(manifest), file), 'utf8');
  return `(globalThis.libraries ??= {}).${name} = (() => { const module = { exports: {} }, exports = module.exports;\n${source}\nreturn module.exports; })();`;
});

/** The results of other readers for a page, in the same browser, and the expected text. */
export interface Readings {
  expected: string;
  /** Turndown's result for the whole body. */
  turndown: string;
  /** Turndown's result for the article that Readability finds. */
  readability: string;
}

/** Reads an open page. */
export async function readAlone(page: Page, { content, without = '' }: DocumentPage): Promise<Readings> {
  await page.evaluate(libraries.join('\n'));
  return page.evaluate(
    `(({ content, without }) => {
      const { Readability, Turndown, gfm } = globalThis.libraries;
      const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' }).use(gfm.gfm);
      service.remove(['script', 'style', 'noscript']);
      const turndown = service.turndown(document.body);
      const article = new Readability(document.cloneNode(true)).parse();
      const readability = article ? '# ' + article.title + '\\n' + service.turndown(article.content) : '';
      const roots = [...document.querySelectorAll(content)].filter((each) => !each.parentElement.closest(content));
      for (const each of without ? document.querySelectorAll(without) : []) each.remove();
      return { expected: roots.map((each) => each.innerText).join('\\n'), turndown, readability };
    })(${JSON.stringify({ content, without })})`,
  ) as Promise<Readings>;
}
