import { invoke, make, wrap, wrapAccessors } from '../page-world/wrap.ts';
import { aheadMs } from './clock.ts';

const { Math: math } = globalThis;

/** Shifts every time that the page can read to the time of the page's clock. */
export function shiftTimes(): void {
  const add = (target: unknown, self: unknown, args: unknown[]) => (invoke(target, self, args) as number) + aheadMs();
  wrap(Performance.prototype, 'now', add);
  wrap(Date, 'now', (...call) => math.round(add(...call)));
  shiftDate();
  // Scripts compare this time with `performance.now()`.
  wrapAccessors(Event.prototype, 'timeStamp', { get: add });
  shiftTimeline();
  shiftTemporal();
}

function shiftDate(): void {
  // A page may replace this function by one that calls the constructor.
  const dateNow = Date.now;
  globalThis.Date = new Proxy(Date, {
    apply: (target) => new target(dateNow()).toString(),
    construct: (target, args, self) => make(target, args.length === 0 ? [dateNow()] : args, self),
  });
  Object.defineProperty(Date.prototype, 'constructor', { value: Date, writable: true, configurable: true });
}

/** Shifts the time of the document's animations: scripts compare it with `performance.now()`, and start animations by it. */
function shiftTimeline(): void {
  // Timelines of the scroll position have no milliseconds, and waiting animations have none yet.
  const by = (value: unknown, ms: number) => (typeof value === 'number' ? value + ms : value);
  const shift = {
    get: (target: unknown, self: unknown, args: unknown[]) => by(invoke(target, self, args), aheadMs()),
    set: (target: unknown, self: unknown, [value]: unknown[]) => invoke(target, self, [by(value, -aheadMs())]),
  };
  wrapAccessors(AnimationTimeline.prototype, 'currentTime', shift);
  wrapAccessors(Animation.prototype, 'startTime', shift);
}

interface Moment {
  add(duration: { milliseconds: number }): Moment;
  [toPlain: `toPlain${string}`]: () => unknown;
}

function shiftTemporal(): void {
  const { Temporal } = globalThis as { Temporal?: { Now: Record<string, unknown> } };
  if (!Temporal) return;
  const { Now } = Temporal;
  const readZoned = Now.zonedDateTimeISO;
  const later = (target: unknown, self: unknown, args: unknown[]) =>
    (invoke(target, self, args) as Moment).add({ milliseconds: math.round(aheadMs()) });
  wrap(Now, 'instant', later);
  wrap(Now, 'zonedDateTimeISO', later);
  for (const kind of ['DateTime', 'Date', 'Time'] as const) {
    wrap(Now, `plain${kind}ISO`, (_, self, args) => later(readZoned, self, args)[`toPlain${kind}`]?.());
  }
}
