/// <reference lib="dom" />
import { randomBytes } from 'node:crypto';
import type { CDPSession } from 'puppeteer';
import { consoleLimits } from '../limits.ts';
import { worldName } from './isolated-world.ts';

/**
 * Records the first console errors and uncaught exceptions of each document. Chromium's events would report every message, and
 * a page that logs without end would keep the browser too busy to respond. So scripts in the page count the errors, and they
 * are read once, at the end.
 *
 * @returns scripts, one for each world, for a document after `document.open()`, which removes its listeners.
 */
export async function watchErrors(session: CDPSession): Promise<{ mainWorld: string; ownWorld: string }> {
  const event = `capture-${randomBytes(8).toString('hex')}`;
  const mainWorld = (wrap: boolean) => `(${sendErrors})(${JSON.stringify({ event, wrap, ...consoleLimits })})`;
  const ownWorld = `(${recordErrors})(${JSON.stringify({ event, ...consoleLimits })})`;
  await Promise.all([
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: ownWorld, worldName }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorld(true) }),
  ]);
  return { mainWorld: mainWorld(false), ownWorld };
}

interface Recording {
  event: string;
  most: number;
  longest: number;
  enough: number;
}

/** Runs before the page's scripts in the page's own world, the only one where its errors can be observed. */
function sendErrors({ event, wrap, most, longest, enough }: Recording & { wrap: boolean }) {
  const { CustomEvent: Message, String: text } = globalThis;
  const { apply } = Reflect;
  const send = EventTarget.prototype.dispatchEvent.bind(document);
  let remaining = most;
  const record = (...parts: unknown[]) => {
    if (remaining <= 0) return;
    remaining -= 1;
    try {
      let detail = '';
      for (const part of parts) detail += `${detail && ' '}${text(part).slice(0, longest)}`;
      send(new Message(event, { detail }));
    } catch {
      // It cannot be converted to text.
    }
  };
  let thrown = 0;
  // Every error whose default is not prevented is sent to the browser, so prevent it after the first ones.
  const limitErrors = (fault: Event) => {
    thrown += 1;
    if (thrown > enough) fault.preventDefault();
  };
  addEventListener('error', (fault) => {
    if (!(fault instanceof ErrorEvent)) return;
    record(fault.message);
    limitErrors(fault);
  });
  addEventListener('unhandledrejection', (fault) => {
    record('Uncaught (in promise)', fault.reason);
    limitErrors(fault);
  });
  if (!wrap) return;
  let written = 0;
  for (const name of ['error', 'warn', 'log', 'info', 'debug', 'trace', 'table', 'dir'] as const) {
    console[name] = new Proxy(console[name], {
      apply(target, self, parts) {
        if (name === 'error') record(...parts);
        written += 1;
        // The browser would store and forward every message, although we do not read them.
        return written > enough ? undefined : apply(target, self, parts);
      },
    });
  }
}

/** Runs in our own world, which the page's scripts cannot read or write. */
function recordErrors({ event, most, longest }: Recording) {
  const world = globalThis as { captureErrors?: string[] };
  world.captureErrors ??= [];
  const errors = world.captureErrors;
  document.addEventListener(event, (message) => {
    const { detail } = message as CustomEvent;
    if (errors.length < most && typeof detail === 'string') errors.push(detail.slice(0, longest));
  });
}
