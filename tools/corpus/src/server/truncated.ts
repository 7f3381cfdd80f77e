import type { Visit } from './visit.ts';

const article = (paragraphs: number) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>An article</title><body><h1>An article</h1>${'<p>A paragraph of an article that breaks off before its end, as on a server that was stopped.</p>'.repeat(paragraphs)}`;

/**
 * Sends a document that breaks off: its connection is closed before the promised length (`/truncated/length`) or before the
 * last chunk (`/truncated/chunked`); `/truncated/stalled` keeps the connection open and sends nothing further.
 */
export function truncate({ url, response }: Visit): void {
  const half = article(20);
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' };
  const how = url.pathname.split('/')[2];
  response.writeHead(200, how === 'length' ? { ...headers, 'content-length': half.length * 2 } : headers);
  response.write(half, () => {
    // The end comes in another packet, because a browser shows the bytes that arrived before.
    if (how !== 'stalled') setTimeout(() => response.destroy(), 50);
  });
}
