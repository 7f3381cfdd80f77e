import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { UsageError, unreadable } from '../usage-error.ts';

/** The maximum size of a list. A sitemap has at most 50 MB (sitemaps.org), and a list of a million URLs less than 200 MB. */
export const maxListBytes = 200 * 1024 * 1024;

/** Timeout of a download, milliseconds. */
const loadTimeoutMs = 60_000;

/**
 * Reads a file, standard input (`-`) or a URL.
 *
 * @throws {UsageError} if the source cannot be read.
 */
export async function loadBytes(source: string, signal: AbortSignal): Promise<Buffer> {
  if (source === '-') return buffer(process.stdin);
  if (/^https?:\/\//i.test(source)) return loadFromWeb(source, signal);
  try {
    return await readFile(source, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(source, error);
  }
}

async function loadFromWeb(url: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(loadTimeoutMs)]) });
    if (!response.ok || !response.body) throw new UsageError(`${url} responded with ${response.status}`);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > maxListBytes) throw new UsageError(`${url} is larger than ${maxListBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UsageError) throw error;
    const { cause, message } = error as Error & { cause?: { code?: string } };
    throw new UsageError(`${url} cannot be loaded: ${cause?.code ?? message}`);
  }
}
