import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type AdList, findAdLists } from '@capture/provisioning/ad-lists';
import type { Logger } from '@capture/runtime/log';
import { ENGINE_VERSION, FiltersEngine } from '@ghostery/adblocker';
import { cacheFolder, keep, readKept } from './engine-cache.ts';

/** The parts of lists that pictures need; the others (scriptlets, headers, rewriting of HTML) are not obeyed. */
const engineConfig = { loadCSPFilters: false, loadPreprocessors: true };

export type Subject = AdList['subject'];

/** Lists that are ready to judge by. */
export interface Filters {
  lists: readonly AdList[];
  engine: FiltersEngine;
}

export interface FiltersOptions {
  /** `AD_LISTS_DIR`; where unset, the lists of the machine. */
  adListsDir: string | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Where parsed lists are kept between starts. */
  cacheDir?: string;
}

/**
 * The filter lists of a worker. They are looked for and read when the first capture asks for them: 50 ms if they were
 * parsed before (on this machine, in this version), else some seconds in a thread of their own.
 */
export class FilterLibrary {
  readonly #options: FiltersOptions;
  readonly #loading = new Map<Subject, Promise<Filters | null>>();

  constructor(options: FiltersOptions) {
    this.#options = options;
  }

  /**
   * The filters about `subject`; null where there are no lists of it.
   *
   * @throws when lists are there that cannot be read; the next call tries again.
   */
  get(subject: Subject): Promise<Filters | null> {
    const before = this.#loading.get(subject);
    if (before) return before;
    const loading = this.#load(subject);
    this.#loading.set(subject, loading);
    // Lists may be installed, or mended, while the worker runs.
    const forget = () => this.#loading.delete(subject);
    loading.then((filters) => filters ?? forget(), forget);
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
    const kept = await readEngine(cacheDir, key);
    const engine = kept ?? (await parseAndKeep(texts, cacheDir, key));
    engine.updateEnv(browser);
    const ms = Math.round(performance.now() - started);
    log.info(
      { lists: lists.map(({ name }) => name), duration_ms: ms, parsed: !kept },
      `filters about ${subject}: ready`,
    );
    return { lists, engine };
  }
}

/**
 * Rules with a style of their own, in braces, as Adblock Plus has them: the engine takes them for selectors, and one spoils
 * the style sheet that it is put into.
 */
const styledRules = /^[^!\n]*#@?#[^\n]*\{[^\n]*$/gm;

/** What conditions in lists (`!#if env_chromium`) are told of this browser. */
const browser = new Map([
  ['env_chromium', true],
  ['cap_user_stylesheet', true],
]);

async function readEngine(folder: string, key: string): Promise<FiltersEngine | null> {
  const bytes = await readKept(folder, key);
  try {
    return bytes && FiltersEngine.deserialize(bytes);
  } catch {
    // A file that was cut short: its checksum is wrong.
    return null;
  }
}

async function parseAndKeep(texts: readonly string[], folder: string, key: string): Promise<FiltersEngine> {
  const bytes = await parseLists(texts);
  await keep(folder, key, bytes);
  return FiltersEngine.deserialize(bytes);
}

/**
 * Parses lists into a serialised engine, in a thread of its own: EasyList with its neighbours takes three seconds, and a
 * worker that stands still for so long is taken for dead.
 *
 * @throws when the lists cannot be parsed.
 */
function parseLists(texts: readonly string[]): Promise<Uint8Array> {
  const library = createRequire(import.meta.url).resolve('@ghostery/adblocker');
  const workerData = { library, text: texts.join('\n'), config: engineConfig };
  // Sent as text, as what runs in pages is: it sees nothing of what is around it here.
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
