import { invoke, wrap } from './page-world/wrap.ts';

const { CustomEvent: Message, String: text } = globalThis;
const send = document.dispatchEvent.bind(document);
const consoleMethods = ['error', 'warn', 'log', 'info', 'debug', 'trace', 'table', 'dir'];

interface Recording {
  /** The event that sends the text of an error to our own world. */
  event: string;
  /** How many errors are sent, and how many characters of each part of an error. */
  most: number;
  longest: number;
  /** How many errors, and how many messages of the console, reach Chromium. */
  enough: number;
  /** Whether the script still has to wrap the console. */
  wrapsConsole: boolean;
}

/**
 * Sends the first console errors and uncaught exceptions to our own world. Runs before the page's scripts in the page's own
 * world, the only one where its errors can be observed.
 */
export default function sendErrors({ event, most, longest, enough, wrapsConsole }: Recording): void {
  let remaining = most;
  const record = (...parts: unknown[]) => {
    if (remaining <= 0) return;
    remaining -= 1;
    try {
      let detail = '';
      for (const part of parts) detail += `${detail && ' '}${text(part).slice(0, longest)}`;
      send(new Message(event, { detail }));
    } catch {
      // Some part has no text.
    }
  };
  let thrown = 0;
  // Chromium sends every error whose default is not prevented to the browser, so the listener prevents it after the first errors.
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
  if (!wrapsConsole) return;
  let written = 0;
  for (const name of consoleMethods) {
    wrap(console, name, (target, self, parts) => {
      if (name === 'error') record(...parts);
      written += 1;
      // The browser would store and forward every message, although the worker does not read them.
      return written > enough ? undefined : invoke(target, self, parts);
    });
  }
}
