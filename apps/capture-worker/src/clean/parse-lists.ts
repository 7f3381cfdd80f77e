import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** The parts of lists that pictures need; the others (scriptlets, headers, rewriting of HTML) are not obeyed. */
export const engineConfig = { loadCSPFilters: false, loadPreprocessors: true };

/**
 * Parses lists into a serialised engine, in a thread of its own: EasyList with its neighbours takes three seconds, and a
 * worker that stands still for so long is taken for dead.
 *
 * @throws when the lists cannot be parsed.
 */
export function parseLists(texts: readonly string[]): Promise<Uint8Array> {
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
