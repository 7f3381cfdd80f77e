import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { UsageError } from '../usage-error.ts';

/** A sitemap has at most 50 MB (sitemaps.org), and a list of a million URLs has less than 200. */
export const listBytesAtMost = 200 * 1024 * 1024;

/** A server that says nothing for so long has no sitemap to give, milliseconds. */
const loadWithinMs = 60_000;

/**
 * The bytes of a file, of standard input (`-`) or of an address.
 *
 * @throws {UsageError} for what cannot be had.
 */
export async function loadBytes(source: string, signal: AbortSignal): Promise<Buffer> {
  if (source === '-') return buffer(process.stdin);
  if (/^https?:\/\//i.test(source)) return loadFromWeb(source, signal);
  try {
    return await readFile(source, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(`${source} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

async function loadFromWeb(url: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(loadWithinMs)]) });
    if (!response.ok || !response.body) throw new UsageError(`${url} was answered with ${response.status}`);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > listBytesAtMost) throw new UsageError(`${url} is larger than ${listBytesAtMost} bytes`);
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
