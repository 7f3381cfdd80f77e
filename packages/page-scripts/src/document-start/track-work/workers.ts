import { invoke, make, readNow, wrap, wrapClass } from '../page-world/wrap.ts';
import { trackedAtMost } from './schedule.ts';

const Dictionary = Map;
const { addEventListener: listen } = EventTarget.prototype;

/** How long a worker may take for its first message or a reply, milliseconds. */
const respondsWithinMs = 2_000;

/** Workers that may send a message, with the real time until when. */
const workers = new Dictionary<Worker, number>();

/** Notes the workers of the page, which may compute without a request: the page could seem ready before their message. */
export function trackWorkers(): void {
  if (!globalThis.Worker) return;
  wrapClass('Worker', (target, args, self) => {
    const worker = make<Worker>(target, args, self);
    if (workers.size >= trackedAtMost) return worker;
    workers.set(worker, readNow() + respondsWithinMs);
    for (const name of ['message', 'error']) invoke(listen, worker, [name, () => workers.delete(worker)]);
    return worker;
  });
  wrap(Worker.prototype, 'postMessage', (target, self, args) => {
    if (workers.size < trackedAtMost) workers.set(self as Worker, readNow() + respondsWithinMs);
    return invoke(target, self, args);
  });
}

/** Returns for how many milliseconds a worker may still send a message; 0 if no worker computes. */
export function workerForMs(): number {
  let longest = 0;
  const at = readNow();
  for (const until of workers.values()) if (until - at > longest) longest = until - at;
  return longest;
}
