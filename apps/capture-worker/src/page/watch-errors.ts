/// <reference lib="dom" />
import { randomBytes } from 'node:crypto';
import type { CDPSession } from 'puppeteer';
import { consoleLimits as kept } from '../limits.ts';
import { worldName } from './isolated-world.ts';

/**
 * Keeps the first errors that each document writes to its console or does not catch. Chromium would tell of every message
 * there is: a page that writes without end would keep the browser so busy that it answers nobody. So they are counted
 * where they occur, and read once, at the end.
 *
 * @returns a script for a document that was opened anew by `document.open()`, which forgets its listeners, in each world.
 */
export async function watchErrors(session: CDPSession): Promise<{ mainWorld: string; ownWorld: string }> {
  const event = `capture-${randomBytes(8).toString('hex')}`;
  const mainWorld = (wrap: boolean) => `(${tellErrors})(${JSON.stringify({ event, wrap, ...kept })})`;
  const ownWorld = `(${keepErrors})(${JSON.stringify({ event, ...kept })})`;
  await Promise.all([
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: ownWorld, worldName }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorld(true) }),
  ]);
  return { mainWorld: mainWorld(false), ownWorld };
}

interface Keeping {
  event: string;
  most: number;
  longest: number;
  enough: number;
}

/** Runs in the page's own world before its scripts, the only place that its errors are known in. */
function tellErrors({ event, wrap, most, longest, enough }: Keeping & { wrap: boolean }) {
  const { CustomEvent: Message, String: text } = globalThis;
  const { apply } = Reflect;
  const send = EventTarget.prototype.dispatchEvent.bind(document);
  let left = most;
  const tell = (...parts: unknown[]) => {
    if (left <= 0) return;
    left -= 1;
    try {
      let detail = '';
      for (const part of parts) detail += `${detail && ' '}${text(part).slice(0, longest)}`;
      send(new Message(event, { detail }));
    } catch {
      // What cannot be written as text is nothing to read.
    }
  };
  let thrown = 0;
  // The browser is told of each that is not prevented: of a flood of them it hears the beginning.
  const heed = (fault: Event) => {
    thrown += 1;
    if (thrown > enough) fault.preventDefault();
  };
  addEventListener('error', (fault) => {
    if (!(fault instanceof ErrorEvent)) return;
    tell(fault.message);
    heed(fault);
  });
  addEventListener('unhandledrejection', (fault) => {
    tell('Uncaught (in promise)', fault.reason);
    heed(fault);
  });
  if (!wrap) return;
  let written = 0;
  for (const name of ['error', 'warn', 'log', 'info', 'debug', 'trace', 'table', 'dir'] as const) {
    console[name] = new Proxy(console[name], {
      apply(target, self, parts) {
        if (name === 'error') tell(...parts);
        written += 1;
        // Nobody reads it, but the browser keeps and passes on each: the rest is not written.
        return written > enough ? undefined : apply(target, self, parts);
      },
    });
  }
}

/** Runs in our world, which no script of the page's can read or write. */
function keepErrors({ event, most, longest }: Keeping) {
  const world = globalThis as { captureErrors?: string[] };
  world.captureErrors ??= [];
  const errors = world.captureErrors;
  document.addEventListener(event, (message) => {
    const { detail } = message as CustomEvent;
    if (errors.length < most && typeof detail === 'string') errors.push(detail.slice(0, longest));
  });
}
