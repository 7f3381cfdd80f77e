import type { ListedUrl } from '../list/item.ts';
import { UsageError } from '../usage-error.ts';
import { readCsv } from './csv.ts';
import { isGzip, unzip } from './gzip.ts';
import { readJsonLines } from './json-lines.ts';
import { loadBytes } from './load-bytes.ts';
import { isSitemap, readSitemap } from './sitemap.ts';

export const listFormats = ['lines', 'csv', 'jsonl', 'sitemap'] as const;
export type ListFormat = (typeof listFormats)[number];

/**
 * Reads a list of URLs: from a file, from standard input (`-`), or as a sitemap from the web.
 *
 * @param format by default detected from the name and the first characters.
 * @throws {UsageError} that names the line or column, if the list is invalid.
 */
export async function readList(
  source: string,
  { format, columns, signal }: { format?: ListFormat; columns?: readonly string[]; signal: AbortSignal },
): Promise<ListedUrl[]> {
  const bytes = await loadBytes(source, signal);
  const text = (isGzip(bytes) ? unzip(bytes, source) : bytes).toString('utf8').replace(/^\uFEFF/, '');
  switch (format ?? detectFormat(source, text)) {
    case 'sitemap':
      return (await readSitemap(text, source, signal)).map((url) => ({ url, options: {} }));
    case 'csv':
      return readCsv(text, columns);
    case 'jsonl':
      return readJsonLines(text);
    default:
      return readLines(text);
  }
}

function detectFormat(source: string, text: string): ListFormat {
  if (isSitemap(text)) return 'sitemap';
  const name = source
    .toLowerCase()
    .replace(/[?#].*$/, '')
    .replace(/\.gz$/, '');
  if (/^https?:/.test(name)) {
    throw new UsageError(`${source} is not a sitemap; to capture this one page: capture screenshot ${source}`);
  }
  if (/\.(jsonl|ndjson)$/.test(name) || /^\s*\{/.test(text)) return 'jsonl';
  const [firstLine = ''] = text.split('\n', 1);
  const isHeading = firstLine.split(/[,;\t]/).some((word) => /^"?url"?$/i.test(word.trim()));
  return name.endsWith('.csv') || isHeading ? 'csv' : 'lines';
}

/** Reads one URL a line. Empty lines and lines that begin with # are ignored. */
function readLines(text: string): ListedUrl[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((url) => ({ url, options: {} }));
}
