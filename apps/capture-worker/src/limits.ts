import { availableParallelism, totalmem } from 'node:os';

/**
 * Limits on the work that a page can cause in the worker. Pages are untrusted code, so everything that a page can do without end
 * has a limit here. The limits are generous for real pages; each comment gives the source of its number.
 */

const kib = 1024;
const mib = 1024 * kib;
const gib = 1024 * mib;

/**
 * Connections of one capture's proxy, and bytes on the wire in both directions. The heaviest real pages load about 100 MB over a
 * few hundred connections. Beyond the budget the network is cut off, and the page is rendered with the resources that it has.
 */
export const fetchBudget = { connections: 5_000, bytes: 500 * mib };

/**
 * Requests of one page that Chromium reports, including `data:` and `blob:`, which no proxy sees. Each request costs the worker
 * and the browser a message of some kilobytes. After this many, reporting stops and the page's network is cut off.
 */
export const maxWatchedRequests = 5_000;

/**
 * Documents that a page may navigate to by scripts and meta refreshes. Sign-ins use ten; a page that reloads every second
 * reaches this limit in a minute. The page then "has too many redirects", as after 20 HTTP redirects.
 */
export const maxDocuments = 50;

/** HTTP redirects that are recorded per document; Chromium follows 20. */
export const maxRedirects = 20;

/** Failed requests that are recorded with their URLs. */
export const maxKeptFailures = 50;

/** Characters that are recorded of a URL. Chromium accepts URLs of 2 MB, and a page can make a thousand fail. */
export const maxUrlLength = 2_000;

/**
 * Recorded errors of one document, the characters of each, and the messages that it may send to the console. Each is a message
 * between processes: a thousand per tick fill the browser's memory by 200 MB a second and block screenshots.
 */
export const consoleLimits = { most: 20, longest: 300, enough: 1_000 };

/** How many dialogs of a page are dismissed at once, and how long each further dialog waits, milliseconds. */
export const dialogLimits = { atOnce: 100, thenWaitMs: 100 };

/** Characters of a page's title in its receipt; search engines show 70. */
export const maxTitleLength = 300;

/** Published: an output over 100 million pixels or 100,000 pixels high is `PAGE_TOO_LARGE`. Rendering takes 400 MB. */
export const maxPixels = 100_000_000;
export const maxPixelHeight = 100_000;

/** The largest encoded image or PDF, bytes: 100 million pixels of photographs. The file is in memory three times. */
export const maxFileBytes = 96 * mib;

/** The largest message from the browser, bytes: the largest file in base64. */
export const maxMessageBytes = (maxFileBytes * 4) / 3;

/**
 * A message with the nodes of an accessibility tree, about 400 bytes each. A message of 115 MiB blocked the worker's main
 * thread, and so every capture, for 1.3 s.
 */
export const maxTreeBytes = 48 * mib;

/** The largest image in a card. 50 million pixels take 200 MB decoded; no page shares a larger image. */
export const maxCardImagePixels = 50_000_000;

/**
 * How much of one page is read as content. The HTML standard on one page has 300,000 nodes and 8 million characters; a page of
 * documentation rarely has 20,000 nodes. Content is cut off at a limit.
 */
export const contentLimits = {
  nodes: 400_000,
  depth: 300,
  copyMs: 5_000,
  /** Characters of a file. */
  text: 10_000_000,
  metadata: 1_000_000,
  links: 20_000,
  /** Values of one field of `extract`, and characters of all values, which the record contains. */
  matches: 1_000,
  characters: 200_000,
  extractMs: 5_000,
};

/**
 * The events and bytes that the browser may report of one page. `maxWatchedRequests` requests cause up to 60 MB and 50,000
 * events; the heaviest real pages have 50 MB of images as `data:` URLs. A page that goes further only fills the pipe that all
 * pages share, and blocks the worker's thread.
 */
export const messageLimits = { bytes: 128 * mib, events: 100_000 };

/**
 * A longer network event is not read. A URL has at most 2 MB, and a response's headers 256 KiB. Longer events contain `data:`
 * URLs, for which no capture waits, or messages of sockets, headers and bodies that a page makes up.
 */
export const maxNetworkEventBytes = 4 * mib;

/**
 * How many times two kinds of events count: long network events without a `data:` URL, of which a page can send 40 MB at once,
 * and messages of a worker's console, of which a page can send 10,000 a second.
 */
export const floodWeight = 8;

/**
 * V8's heap of a page, MiB; the largest web applications use 500. Beyond this size the page's renderer crashes. The limit on its
 * process bounds the other memory of a page (buffers, canvases, images, WebAssembly).
 */
export const scriptHeapMib = 1_024;

/** Limits on the resident memory of Chromium's processes, bytes. */
export interface MemoryLimits {
  /** A page, or a frame of another site in it. */
  renderer: number;
  /** The GPU process, which draws for all pages. */
  drawing: number;
  /** The browser's main process, and its services. */
  browser: number;
  /** All processes together, without shared memory. */
  total: number;
}

/** The memory of the machine or the container's limit, bytes. */
function usableMemory(): number {
  // In a container without a limit this is 0 or larger than any machine's memory.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Memory limits, from measurements: a real page takes 100 to 400 MB. The largest image, 100 million pixels, takes 0.5 GB in the
 * renderer, 1.6 GB in the GPU process and 0.5 to 1 GB in the main process, so two such images may be rendered at once. On a
 * small machine each process may use half of the memory, and the browser as a whole leaves a quarter to other programs.
 */
export function memoryLimits(usable = usableMemory()): MemoryLimits {
  return {
    renderer: Math.min(2 * gib, usable / 2),
    drawing: Math.min(4 * gib, usable / 2),
    browser: Math.min(3 * gib, usable / 2),
    total: usable * 0.75,
  };
}

/** How often the memory of Chromium's processes is checked, milliseconds. A page can fill 1 to 2 GB a second. */
export const memoryCheckEveryMs = 250;

/** More captures do not raise the throughput: on two cores it is 6.9, 7.8 and 7.8 captures a second at 2, 4 and 8. */
const capturesPerCore = 2;

/** The memory of a real page in its renderer with its image in transit, and the base memory of worker and browser. */
const bytesPerCapture = 300 * mib;
const bytesOfBrowser = 500 * mib;

/** How many slots this machine should have, from the cores and memory of the machine or container. */
export function defaultConcurrency(machine = { cores: availableParallelism(), bytes: usableMemory() }): number {
  const byMemory = Math.floor((machine.bytes - bytesOfBrowser) / bytesPerCapture);
  let slots = 1;
  while (slots < machine.cores * capturesPerCore && slots + 1 + goOnWithoutSlot(slots + 1) <= byMemory) slots += 1;
  return slots;
}

/**
 * How many pages are kept ready at this concurrency. Each capture that ends makes a page before the next is claimed, so half is
 * enough unless more than half start at once. One more is for accounts without a capture. Each takes 15 MB.
 */
export function pagesReady(concurrency: number): number {
  return Math.ceil(concurrency / 2) + (concurrency > 1 ? 1 : 0);
}

/**
 * How many private cells start at once, at this concurrency: each takes 100 MB, and 0.4 s of CPU time to start. When a cell
 * fails, all its accounts need a private cell at once. A private cell delays the next by at most 3 s.
 */
export function privateAtOnce(concurrency: number): number {
  return Math.max(2, Math.ceil(concurrency / 4));
}

/**
 * How many captures may continue without a slot, at this concurrency: captures that have lasted for a second, or whose pages
 * take long to close. Their slots go to other captures.
 */
export function goOnWithoutSlot(concurrency: number): number {
  return Math.floor(concurrency / 2) + 1;
}
