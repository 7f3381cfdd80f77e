import { invalidRequest } from '@capture/contract/errors';
import type { Form } from '../../../http/form-body.ts';
import { htmlOfMarkdown } from '../shared/markdown.ts';

type File = Form['files'][number];

/** Files that Gotenberg treats by their names. */
const named: ReadonlySet<string> = new Set(['index.html', 'header.html', 'footer.html']);

/** The limit of `html`, characters. A page may include one file many times. */
const longestPage = 2 * 1024 * 1024;

/** `{{ toHTML "file.md" }}`, with which a page includes a Markdown file. */
const inclusion = /\{\{\s*toHTML\s+["'`]([^"'`\n]{1,255})["'`]\s*\}\}/g;

/** Places that may name a file: an attribute, or `url()` in a style sheet. */
const reference = /(\b(?:src|href|poster)\s*=\s*["']?|\burl\(\s*["']?)(?:\.\/)?([^"'()\s>]{1,255})/gi;

/**
 * The named files of a form as texts. Files that `index.html` refers to become `data:` URLs, and Markdown files that it includes
 * become HTML.
 *
 * @throws {ApiError} `INVALID_REQUEST` for a missing file, or a page that becomes too large.
 */
export function pagesOf({ files }: Form, withMarkdown: boolean): Record<string, string> {
  const byName = new Map(files.map((file) => [file.name, file]));
  const pages = Object.fromEntries(
    files.filter(({ name }) => named.has(name)).map((file) => [file.name, textOf(file)]),
  );
  const index = pages['index.html'];
  if (index === undefined) throw invalidRequest([{ field: 'index.html', message: 'is required, as a file' }]);
  const included = withMarkdown ? replaced(index, inclusion, (_, name) => markdownOf(name, byName)) : index;
  return { ...pages, 'index.html': inlined(included, byName, styleOf) };

  /** Inlines the images and fonts of a style sheet. Files that it imports are not inlined. */
  function styleOf(file: File): Buffer {
    return Buffer.from(inlined(textOf(file), byName, null));
  }
}

const textOf = ({ bytes }: File): string => bytes.toString('utf8');

function markdownOf(name: string, files: ReadonlyMap<string, File>): string {
  const file = files.get(name);
  if (!file) throw invalidRequest([{ field: 'files', message: `must have ${name}, which index.html includes` }]);
  return htmlOfMarkdown(textOf(file), { name, atMostKb: 100 });
}

/** Replaces each reference to a file by the file. @param styleOf the bytes of a style sheet, or null. */
function inlined(text: string, files: ReadonlyMap<string, File>, styleOf: ((file: File) => Buffer) | null): string {
  const urls = new Map<string, string>();
  return replaced(text, reference, (whole, before, name = '') => {
    const file = files.get(name);
    const isStyle = /\.css$/i.test(name);
    if (!file || named.has(name) || (isStyle && !styleOf)) return whole;
    const bytes = () => (isStyle && styleOf ? styleOf(file) : file.bytes);
    const url = urls.get(name) ?? `data:${mediaTypeOf(file)};base64,${bytes().toString('base64')}`;
    urls.set(name, url);
    return before + url;
  });
}

/** Replaces each match, and throws as soon as the text is too long. */
function replaced(text: string, pattern: RegExp, by: (...match: [string, string, string?]) => string): string {
  let length = text.length;
  return text.replaceAll(pattern, (whole: string, first: string, second: unknown) => {
    const replacement = by(whole, first, String(second));
    length += replacement.length - whole.length;
    if (length > longestPage) {
      throw invalidRequest([
        { field: 'index.html', message: 'must be at most 2 MB, with the files that it refers to' },
      ]);
    }
    return replacement;
  });
}

const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
};

/** The media type of a file by its name: few clients declare a type. */
function mediaTypeOf({ name }: File): string {
  return mediaTypes[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}
