/// <reference lib="dom" />
import type { CDPSession } from 'puppeteer';
import { floodLimits } from '../limits.ts';

/**
 * Limits what a document may do that is work for the browser's main process, which serves all pages. That process has no limit
 * of its own: what a page sends faster than it can handle waits in its memory, before anything that other pages need.
 */
export async function limitFloods(session: CDPSession): Promise<void> {
  const source = `(${limit})(${JSON.stringify(floodLimits)})`;
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
}

/** Runs before the page's scripts, in their world. Up to the limits everything is as it was. */
function limit({ workers, titles }: typeof floodLimits): void {
  let started = 0;
  for (const name of ['Worker', 'SharedWorker'] as const) {
    const Original = globalThis[name];
    if (typeof Original !== 'function') continue;
    globalThis[name] = new Proxy(Original, {
      construct(target, args, self) {
        started += 1;
        if (started > workers) throw new DOMException('Too many workers.', 'QuotaExceededError');
        return Reflect.construct(target, args, self);
      },
    }) as never;
  }
  const title = Object.getOwnPropertyDescriptor(Document.prototype, 'title');
  if (!title?.set) return;
  let set = 0;
  const setTitle = new Proxy(title.set, {
    apply(target, self, args) {
      set += 1;
      if (set <= titles) Reflect.apply(target, self, args);
    },
  });
  Object.defineProperty(Document.prototype, 'title', { ...title, set: setTitle });
}
