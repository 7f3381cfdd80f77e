import { availableParallelism, totalmem } from 'node:os';

/**
 * What a page can make the worker do at most. A page is code of a stranger: whatever it can do without end ends here. The
 * numbers are generous for pages of the web; each says where it comes from. What a step of a capture may take, and what is
 * waited for how long, stands with the step.
 */

const kib = 1024;
const mib = 1024 * kib;
const gib = 1024 * mib;

/**
 * What one capture may fetch through its proxy: connections, and bytes on the wire, both ways. The heaviest pages of the web
 * load some 100 MB over a few hundred connections. Beyond it nothing passes, and the page is drawn with what it has.
 */
export const fetchedAtMost = { connections: 5_000, bytes: 500 * mib };

/**
 * Requests of one page that are listened to, `data:` and `blob:` among them, which no proxy sees. Each costs the worker and
 * the browser a message of some kilobytes; from then on nothing is told of them, and the network of the page is cut off.
 */
export const requestsWatched = 5_000;

/**
 * Documents that a page leads on to, by scripts and meta refreshes. Sign-ins go through ten; a page that reloads itself
 * each second makes this many in a minute. Then it "redirects too often", as after 20 redirects of HTTP.
 */
export const documentsAtMost = 50;

/** Redirects of HTTP on the way to a document: Chromium follows 20. */
export const redirectsKept = 20;

/** Failed requests that are kept with their addresses. */
export const failuresKept = 50;

/** Of an address, characters: Chromium takes 2 MB for one, and a page can have a thousand fail. The rest says nothing. */
export const addressKept = 2_000;

/**
 * Errors that are kept of one document, how much of each (characters), and how many messages and errors it may have told
 * the browser at all: each is a message between processes, and a thousand a tick fill the browser's memory by 200 MB a
 * second, with no picture to be had meanwhile.
 */
export const consoleKept = { most: 20, longest: 300, enough: 1_000 };

/** Of a page's title in its receipt, characters: search engines show 70. */
export const titleKept = 300;

/** Published: an output over 100 million pixels or 100,000 pixels high is `PAGE_TOO_LARGE`. It takes 400 MB to draw. */
export const pixelsAtMost = 100_000_000;
export const pixelsHighAtMost = 100_000;

/** An encoded picture or PDF, bytes: 100 million pixels of photographs. It is in memory three times. */
export const fileBytesAtMost = 96 * mib;

/** A message of the browser's: such a file in base64. */
export const messageBytesAtMost = (fileBytesAtMost * 4) / 3;

/** An image in a card: 50 million pixels take 200 MB to unpack; no page shares a larger one. */
export const cardImagePixelsAtMost = 50_000_000;

/**
 * V8's heap of a page, MiB: the largest web applications use 500. Beyond it the page's renderer ends itself. Everything
 * else that a page can fill (buffers, canvases, images, WebAssembly) is bound by what its process may take.
 */
export const scriptHeapMib = 1_024;

/** What processes of Chromium may take, bytes of memory that is resident. */
export interface MemoryLimits {
  /** A page, or a frame of another site in it. */
  renderer: number;
  /** The process that draws for all pages. */
  drawing: number;
  /** The browser's main process, and its services. */
  browser: number;
  /** All together, what they share not counted. */
  together: number;
}

/** The machine's memory, or the container's share of it, bytes. */
export function usableMemory(): number {
  // Without a limit this is 0, or a number that no machine has.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Measured: a page of the web takes 100 to 400 MB. The largest picture, 100 million pixels, takes 0.5 GB of its page's
 * process, 1.6 GB of the one that draws for all, and 0.5 to 1 GB of the main one: so two of them may be drawn at once. On a
 * small machine each gets half of what there is, and the browser as a whole leaves a quarter to those that run beside it.
 */
export function memoryLimits(usable = usableMemory()): MemoryLimits {
  return {
    renderer: Math.min(2 * gib, usable / 2),
    drawing: Math.min(4 * gib, usable / 2),
    browser: Math.min(3 * gib, usable / 2),
    together: usable * 0.75,
  };
}

/** How often the memory of Chromium's processes is looked at, milliseconds: a page fills 1 to 2 GB a second. */
export const memoryLookEveryMs = 250;

/** Throughput grows up to two captures a core and no further: 6.9, 7.8, 7.8 a second at 2, 4 and 8 on two cores. */
const capturesPerCore = 2;

/** A page of the web in its own renderer, with the picture on its way out; and what the worker and browser need anyway. */
const bytesPerCapture = 300 * mib;
const bytesOfBrowser = 500 * mib;

/** How many captures this machine makes at once, from its cores and its memory (or the container's share of both). */
export function defaultConcurrency(machine = { cores: availableParallelism(), bytes: usableMemory() }): number {
  const byCores = machine.cores * capturesPerCore;
  const byMemory = Math.floor((machine.bytes - bytesOfBrowser) / bytesPerCapture);
  return Math.max(1, Math.min(byCores, byMemory));
}

/**
 * How many pages are kept ready for so many captures at once. Each capture that ends makes one anew before the next is
 * taken, so half is enough unless more than that begin at the same moment; the others would take 30 MB of memory for that
 * (180 rather than 212 MB for the browser at 4, the pages in use among them).
 */
export function pagesReady(concurrency: number): number {
  return Math.ceil(concurrency / 2);
}
