import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from '@capture/testing/network/page-server';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { readPdf } from './render/pdf.test-support.ts';
import { openForTests } from './worker.test-support.ts';

const require = createRequire(import.meta.url);

/** The installed dependencies of this repository. */
const modules = path.join(repositoryRoot, 'node_modules');

/** Files of the coverage report; each file gets a page. */
const covered = ['express/lib/application.js', 'express/lib/response.js', 'express/lib/utils.js'];

/** Pages from npm packages that are on every machine after `npm ci`. */
describe('third-party pages', () => {
  const { server, worker } = openForTests(async () => pages(), { size: 2 });

  it.each([
    ['a report with a script-sorted table (Istanbul)', '/coverage/index.html', 720, 'utils.js'],
    ['a long listing, highlighted by a script (Istanbul)', '/coverage/utils.js.html', 3_500, 'compileQueryParser'],
    ['a form (the pop-up of autoconsent)', '/autoconsent/popup.html', 720, 'Popup mutation observer'],
    ['a long plain text (the manual of body-parser)', '/manual.md', 5_000, 'parse an HTML body into a string'],
  ])('%s', async (_, path, height, text) => {
    const url = server.url(path);
    const [screenshot, pdf] = await Promise.all([
      worker.render('screenshot', { url, full_page: true }),
      worker.render('pdf', { url, margin: '1cm' }),
    ]);
    expect(screenshot.report).toMatchObject({ httpStatus: 200, failedRequests: 0 });
    expect(screenshot.file.width).toBe(1_280);
    expect(screenshot.file.height).toBeGreaterThanOrEqual(height);
    expect(await blankBands(screenshot.file.bytes)).toEqual([]);

    const read = await readPdf(pdf.file.bytes, 100);
    expect(read.pages.map((page) => page.text).join(' ')).toContain(text);
    // An A4 page has about a thousand pixels, so a long page has several.
    if (height > 2_000) expect(read.count).toBeGreaterThan(height / 2_000);
  });
});

/** Returns the positions of bands of viewport height that have a single colour. The last, shorter band is not checked. */
async function blankBands(image: Buffer): Promise<number[]> {
  const { data, info } = await sharp(image).grayscale().raw().toBuffer({ resolveWithObject: true });
  const band = info.width * 720;
  const tops = Array.from({ length: Math.floor(data.length / band) }, (_, index) => index * band);
  const isBlank = (top: number) => data.subarray(top, top + band).every((level) => level === data[top]);
  return tops.filter(isBlank).map((top) => top / info.width);
}

/** The corpus by path, with the content types of a web server. */
function pages(): Record<string, Page> {
  const report = writeCoverageReport();
  const reportFiles = ['index.html', 'utils.js.html', 'base.css', 'prettify.css', 'prettify.js', 'sorter.js'];
  reportFiles.push('block-navigation.js', 'sort-arrow-sprite.png', 'favicon.png');
  const autoconsent = path.join(modules, '@duckduckgo/autoconsent/dist/addon-mv3');
  return {
    ...serveFiles('/coverage', report, reportFiles),
    ...serveFiles('/autoconsent', autoconsent, ['popup.html', 'popup.bundle.js']),
    '/manual.md': {
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: readFileSync(path.join(modules, 'body-parser/README.md')),
    },
    '/favicon.ico': { status: 204 },
  };
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

function serveFiles(prefix: string, folder: string, names: readonly string[]): Record<string, Page> {
  const entries = names.map((name): [string, Page] => {
    const headers = { 'content-type': types[path.extname(name)] ?? 'application/octet-stream' };
    return [`${prefix}/${name}`, { headers, body: readFileSync(path.join(folder, name)) }];
  });
  return Object.fromEntries(entries);
}

/** Writes a report with Jest's reporter, as if every second statement had run. */
function writeCoverageReport(): string {
  const load = (name: string) => require(path.join(modules, name));
  const data = covered.map((name) => {
    const file = path.join(modules, name);
    const lines = readFileSync(file, 'utf8').split('\n');
    const spans = lines.flatMap((line, index) =>
      /^\s+\S.*;$/.test(line)
        ? [{ start: { line: index + 1, column: 0 }, end: { line: index + 1, column: line.length } }]
        : [],
    );
    const statementMap = Object.fromEntries(spans.map((span, index) => [index, span]));
    const s = Object.fromEntries(spans.map((_, index) => [index, index % 2]));
    return [file, { path: file, statementMap, s, fnMap: {}, f: {}, branchMap: {}, b: {} }];
  });
  const coverageMap = load('istanbul-lib-coverage').createCoverageMap(Object.fromEntries(data));
  const dir = makeTestFolder('coverage');
  const context = load('istanbul-lib-report').createContext({ dir, coverageMap, defaultSummarizer: 'flat' });
  load('istanbul-reports').create('html').execute(context);
  return dir;
}
