import { invoke, wrap } from './page-world/wrap.ts';
import { hurry } from './track-work/clock.ts';
import { rememberClosedRoots, showClosedRoots } from './track-work/closed-roots.ts';
import { describeWork } from './track-work/describe-work.ts';
import { hold, release } from './track-work/hold.ts';
import { noteRealWork } from './track-work/real-work.ts';
import { shiftTimes } from './track-work/shift-times.ts';
import { trackTimers } from './track-work/track-timers.ts';
import { keepWindowHeight } from './track-work/window-height.ts';
import { trackWorkers } from './track-work/workers.ts';

const { CustomEvent: Message, Number: number } = globalThis;
const { addEventListener: add } = EventTarget.prototype;
const send = document.dispatchEvent.bind(document);

/**
 * Tracks the timers and animation frames that the page's scripts have scheduled: nothing else shows what a timer or a
 * script-driven animation is about to change. A page that schedules nothing is known to be ready. The script also keeps the
 * margins of intersection observers and the results of media queries when the viewport grows.
 *
 * Runs before the page's scripts, in their world. Only wraps the functions: arguments, results, `this` and exceptions stay the
 * same. Pages cannot guess the name of the event with which our own world asks:
 *
 * - Without a detail, the event asks for the scheduled work. The reply is an event of the name with `-reply`, with
 * `ScheduledWork` as JSON.
 * - With a number as its detail, it hurries the page's clock for so many milliseconds.
 * - With `roots`, it asks for the closed shadow roots. They are the ranges of a highlight of the event's name while the event of
 * the name with `-roots` is sent.
 * - From the name with `-silence` to the name with `-notify`, no script is notified of a resized window.
 * - From the name with `-hold` to the name with `-release`, no timer or frame that was scheduled before runs: the page stands
 * still.
 */
export default function trackWork({ event }: { event: string }): void {
  shiftTimes();
  noteRealWork();
  trackTimers();
  keepWindowHeight();
  rememberClosedRoots();
  trackWorkers();

  let isSilent = false;
  const listeners: Record<string, (message: Event) => void> = {
    [event]: (message) => respond(event, (message as CustomEvent).detail),
    [`${event}-silence`]: () => {
      isSilent = true;
    },
    [`${event}-notify`]: () => {
      isSilent = false;
    },
    [`${event}-hold`]: hold,
    [`${event}-release`]: release,
  };
  const silence = (resize: Event) => {
    if (isSilent) resize.stopImmediatePropagation();
  };
  listenAlways(() => {
    // This listener must be the first of the window: capturing listeners of the window have no precedence.
    invoke(add, globalThis, ['resize', silence]);
    for (const name in listeners) invoke(add, document, [name, listeners[name]]);
  });
}

function respond(event: string, detail: unknown): void {
  if (detail === null) send(new Message(`${event}-reply`, { detail: describeWork() }));
  else if (detail === 'roots') showClosedRoots(event, () => send(new Message(`${event}-roots`)));
  else hurry(number(detail) || 0);
}

/** Listens now and whenever the page opens its document again, which removes the listeners of the document and its window. */
function listenAlways(listen: () => void): void {
  listen();
  for (const name of ['open', 'write', 'writeln']) {
    wrap(Document.prototype, name, (target, self, args) => {
      const result = invoke(target, self, args);
      if (self === document) listen();
      return result;
    });
  }
}
