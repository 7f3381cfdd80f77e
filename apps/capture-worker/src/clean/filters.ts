import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type AdList, findAdLists } from '@capture/provisioning/ad-lists';
import type { Logger } from '@capture/runtime/service/log';
import { ENGINE_VERSION, FiltersEngine } from '@ghostery/adblocker';
import { cacheFolder, readCached, writeCached } from './engine-cache.ts';

/** Loads the parts of the lists that captures need; scriptlets, headers and HTML rewriting are ignored. */
const engineConfig = { loadCSPFilters: false, loadPreprocessors: true };

export type Subject = AdList['subject'];

export interface Filters {
  lists: readonly AdList[];
  engine: FiltersEngine;
}

export interface FiltersOptions {
  /** `AD_LISTS_DIR`; if unset, the lists of the machine. */
  adListsDir: string | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
  /** The folder that keeps parsed lists between starts. */
  cacheDir?: string;
}

/**
 * The filter lists of a worker, loaded when the first capture needs them. Loading takes 50 ms if this version has parsed the
 * lists on this machine before, else a few seconds in a separate thread.
 */
export class FilterLibrary {
  readonly #options: FiltersOptions;
  readonly #loading = new Map<Subject, Promise<Filters | null>>();

  constructor(options: FiltersOptions) {
    this.#options = options;
  }

  /**
   * Returns the filters for `subject`; null if it has no lists.
   *
   * @throws when lists cannot be read; the next call tries again.
   */
  get(subject: Subject): Promise<Filters | null> {
    const cached = this.#loading.get(subject);
    if (cached) return cached;
    const loading = this.#load(subject);
    this.#loading.set(subject, loading);
    // Lists may be installed or repaired while the worker runs.
    const reset = () => this.#loading.delete(subject);
    loading.then((filters) => filters ?? reset(), reset);
    return loading;
  }

  async #load(subject: Subject): Promise<Filters | null> {
    const { adListsDir, log, cacheDir = cacheFolder() } = this.#options;
    const started = performance.now();
    const lists = (await findAdLists(adListsDir)).filter((list) => list.subject === subject);
    if (lists.length === 0) return null;
    const read = lists.map(async ({ file }) => (await readFile(file, 'utf8')).replace(styledRules, ''));
    const texts = await Promise.all(read);
    const key = digest([String(ENGINE_VERSION), JSON.stringify(engineConfig), ...texts]);
    const cached = await readEngine(cacheDir, key);
    const engine = cached ?? (await parseAndCache(texts, cacheDir, key));
    engine.updateEnv(browser);
    const ms = Math.round(performance.now() - started);
    log.info(
      { lists: lists.map(({ name }) => name), duration_ms: ms, parsed: !cached },
      `filters for ${subject} are ready`,
    );
    return { lists, engine };
  }
}

/**
 * Rules with style in braces, as in Adblock Plus. They are removed, because the engine takes them for selectors, and a single
 * rule of this form invalidates its style sheet.
 */
const styledRules = /^[^!\n]*#@?#[^\n]*\{[^\n]*$/gm;

/** Values of the conditions in lists (`!#if env_chromium`) for this browser. */
const browser = new Map([
  ['env_chromium', true],
  ['cap_user_stylesheet', true],
]);

async function readEngine(folder: string, key: string): Promise<FiltersEngine | null> {
  const bytes = await readCached(folder, key);
  try {
    return bytes && FiltersEngine.deserialize(bytes);
  } catch {
    // The checksum is wrong, because the file is truncated or damaged.
    return null;
  }
}

async function parseAndCache(texts: readonly string[], folder: string, key: string): Promise<FiltersEngine> {
  const bytes = await parseLists(texts);
  await writeCached(folder, key, bytes);
  return FiltersEngine.deserialize(bytes);
}

/**
 * Parses lists into a serialised engine in a separate thread: EasyList and its companions take three seconds, and a worker
 * whose event loop is blocked for that long is considered dead.
 *
 * @throws when the lists cannot be parsed.
 */
function parseLists(texts: readonly string[]): Promise<Uint8Array> {
  const library = createRequire(import.meta.url).resolve('@ghostery/adblocker');
  const workerData = { library, text: texts.join('\n'), config: engineConfig };
  // The function is sent as text, so it cannot use anything outside itself.
  const thread = new Worker(`(${parseInThread})(require)`, { eval: true, workerData });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that parses ad lists ended without a result')));
  });
}

function parseInThread(require: NodeJS.Require): void {
  const { parentPort, workerData } = require('node:worker_threads') as typeof import('node:worker_threads');
  const { FiltersEngine } = require(workerData.library) as typeof import('@ghostery/adblocker');
  const bytes = FiltersEngine.parse(workerData.text, workerData.config).serialize();
  parentPort?.postMessage(bytes);
}

function digest(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}
