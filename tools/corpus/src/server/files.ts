import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Behaviour, plainHeaders, waitForDelay } from './visit.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.cjs': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.wasm': 'application/wasm',
};

/**
 * Serves the files of a folder. In HTML, `{{self}}` and `{{cross}}` become the origins, and `{{name:default}}` the query's
 * `name`. `as-status=403` and `as-header=name:value` change the response. A `delay` that a document passes on does not delay
 * the document.
 *
 * @param prefix the path that stands for the folder: `/pages/`.
 */
export function serveFolder(folder: string, prefix: string): Behaviour {
  return async (visit) => {
    const { url, response, origins } = visit;
    const file = path.join(folder, decodeURIComponent(url.pathname.slice(prefix.length)));
    const type = types[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
    const bytes = file.startsWith(folder + path.sep) ? await readFile(file).catch(() => null) : null;
    const isHtml = type.startsWith('text/html');
    if (!(isHtml && bytes?.includes('{{delay:'))) await waitForDelay(visit);
    if (!bytes) {
      response.writeHead(404, plainHeaders).end();
      return;
    }
    const body = isHtml ? fillIn(bytes.toString(), origins, url.searchParams) : bytes;
    response
      .writeHead(200, { ...plainHeaders, 'content-type': type, 'content-length': Buffer.byteLength(body) })
      .end(body);
  };
}

/** Replaces `{{self}}` and `{{cross}}`, and `{{name:default}}` by the query's `name`. */
function fillIn(html: string, { self, cross }: { self: string; cross: string }, query = new URLSearchParams()): string {
  return html
    .replaceAll('{{self}}', self)
    .replaceAll('{{cross}}', cross)
    .replaceAll(/\{\{(\w+):([^{}]*)\}\}/g, (_, name: string, value: string) => query.get(name) ?? value);
}
