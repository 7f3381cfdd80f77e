import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Command } from 'commander';
import puppeteer from 'puppeteer';
import { unpack } from './documents.ts';
import { readAlone } from './readers.ts';
import { scoreOf, wordsOf } from './score.ts';

interface Options {
  server: string;
  folder: string;
  port: string;
}

interface Scored {
  package: string;
  file: string;
  ours: number;
  turndown: number;
  readability: number;
}

export const content = new Command('content')
  .exitOverride()
  .description(
    'Scores the Markdown of pages of Debian’s documentation beside other readers. It needs a running platform that may reach the port on 127.0.0.1 (EGRESS_ALLOW), a key in CAPTURE_API_KEY, and Chromium in PUPPETEER_EXECUTABLE_PATH.',
  )
  .requiredOption('--folder <folder>', 'where the packages are downloaded and unpacked')
  .option('--server <url>', 'the platform', 'http://localhost:3000')
  .option('--port <port>', 'where the pages are served', '4080')
  .action(async ({ server, folder, port }: Options) => {
    const pages = unpack(folder);
    const site = createServer((request, response) => {
      const file = path.join(folder, decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname));
      if (file.endsWith('.html')) response.setHeader('Content-Type', 'text/html');
      else if (file.endsWith('.css')) response.setHeader('Content-Type', 'text/css');
      createReadStream(file)
        .on('error', () => response.writeHead(404).end())
        .pipe(response);
    }).listen(Number(port), '127.0.0.1');
    const browser = await puppeteer.launch({
      headless: 'shell',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    const scored: Scored[] = [];
    try {
      const page = await browser.newPage();
      for (const each of pages) {
        const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/${encodeURI(each.file)}`;
        const query = new URLSearchParams({ url });
        const response = await fetch(`${server}/api/v1/content?${query}`, {
          headers: { 'X-API-Key': process.env.CAPTURE_API_KEY ?? '' },
        });
        const ours = await response.text();
        if (!response.ok) throw new Error(`${url}: ${ours}`);
        await page.goto(url);
        const { expected, ...others } = await readAlone(page, each);
        const score = (text: string) => scoreOf(wordsOf(text), wordsOf(expected));
        const scores = { ours: score(ours), turndown: score(others.turndown), readability: score(others.readability) };
        scored.push({ package: each.package, file: each.file, ...scores });
      }
    } finally {
      await browser.close();
      site.close();
    }
    process.stdout.write(writeTable(scored));
  });

const readers = ['ours', 'readability', 'turndown'] as const;

/** A row of medians for each package and for all, then the pages that score worst. */
function writeTable(scored: readonly Scored[]): string {
  const row = (name: string, of: readonly Scored[]) =>
    `| ${name} | ${of.length} | ${readers.map((reader) => median(of.map((each) => each[reader])).toFixed(3)).join(' | ')} |`;
  const packages = [...new Set(scored.map((each) => each.package))];
  const worst = scored.filter(({ ours }) => ours < 0.85).sort((one, other) => one.ours - other.ours);
  return [
    '| package | pages | `/api/v1/content` | Readability and Turndown | Turndown of the body |',
    '| --- | --- | --- | --- | --- |',
    ...packages.map((name) =>
      row(
        `\`${name}\``,
        scored.filter((each) => each.package === name),
      ),
    ),
    row('all', scored),
    '',
    ...readers.map((reader) => `${reader}: ${scored.filter((each) => each[reader] < 0.85).length} pages below 0.85`),
    ...worst.map(({ file, ours, readability }) => `${ours.toFixed(3)} (${readability.toFixed(3)}) ${file}`),
    '',
  ].join('\n');
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
