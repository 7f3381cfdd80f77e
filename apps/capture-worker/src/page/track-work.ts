/// <reference lib="dom" />
import { randomBytes } from 'node:crypto';
import type { Page } from 'puppeteer';
import { clockPace, type PageClock, pageClock, type Schedule, type Wrap } from './page-clock.ts';

/** Work that the page's scripts have scheduled. */
export interface ScheduledWork {
  /**
   * Pending timers, the earliest first: milliseconds until each runs, how many timers in a row led to it, and whether it opens
   * another page.
   */
  timers: { inMs: number; depth: number; opens: boolean }[];
  /** Whether an interval opens another page when it has counted down. */
  countsDown: boolean;
  /** For how many milliseconds a worker may still send its first message, or respond to one; 0 if none is at work. */
  workerForMs: number;
  /** Whether scripts draw frame by frame: with animation frames, or with a fast interval. */
  loops: boolean;
  /** The longest interval at which scripts check for something, milliseconds; 0 if there is none. */
  everyMs: number;
  /** Whether something is going on that takes real time, such as an encryption. */
  working: boolean;
  /** How far the page's clock is ahead, milliseconds, as it was hurried. */
  aheadMs: number;
}

/**
 * Timers that are tracked, their longest delay in milliseconds, the interval that counts as drawing frame by frame, the
 * longest one that counts as checking, and the longest whose first run is waited for. A worker has so long for its first
 * message, and to respond to one.
 */
const limits = { most: 200, longestMs: 5_000, fastMs: 100, checkMs: 300, tickMs: 1_500, workerMs: 2_000 };

/**
 * Tracks the timers and animation frames that the page's scripts have scheduled: what a timer or a script-driven animation
 * is about to change cannot be seen any other way. Pages that schedule nothing are known to be ready. It also keeps the
 * margins of intersection observers and the results of media queries when the viewport grows, and from the event with
 * `-silence` until that with `-notify`, no script is notified of a resized window. Between those with `-hold` and `-release` no
 * timer or frame that was scheduled before runs: the page stands still.
 *
 * With a number as its detail, the event hurries the page's clock for so many milliseconds; see `pageClock`. With
 * `roots`, it asks for the closed shadow roots. They are the ranges of a highlight of the event's name while `-roots` is sent:
 * worlds share no objects, but highlights.
 *
 * @returns the name of the event that asks for the scheduled work; with `-reply`, of the one that replies. Pages cannot guess it.
 */
export async function trackWork(page: Page): Promise<string> {
  const event = `capture-${randomBytes(8).toString('hex')}`;
  // By Puppeteer: it reaches frames that have sessions of their own, too.
  const input = JSON.stringify({ event, ...limits, pace: clockPace });
  await page.evaluateOnNewDocument(`(${track})(${input}, ${pageClock})`);
  return event;
}

interface TrackedInterval {
  due: number;
  ms: number;
  run?: () => void;
  /** Whether it counts down, and then opens another page. */
  countsDown: boolean;
}

type TrackInput = typeof limits & { event: string; pace: typeof clockPace };

/**
 * Runs before the page's scripts, in their world. Only wraps the functions: arguments, results, `this` and exceptions are
 * those of the originals.
 */
function track(
  { event, most, longestMs, fastMs, checkMs, tickMs, workerMs, pace }: TrackInput,
  startClock: typeof pageClock,
): void {
  const { apply } = Reflect;
  const { CustomEvent: Message, Map: Dictionary, Number: number, String: string, WeakRef: Weak } = globalThis;
  const { StaticRange: Place, Highlight: Places } = globalThis;
  const readNow = performance.now.bind(performance);
  const [sourceOf, matches, partOf] = [Function.prototype.toString, RegExp.prototype.test, String.prototype.slice];
  const timers = new Dictionary<unknown, { due: number; depth: number; run?: () => void; opens?: boolean }>();
  const intervals = new Dictionary<unknown, TrackedInterval>();
  let depth = 0;
  /** The time of the last animation frame, by the page's clock. */
  let frameAt = 0;
  /** Animation frames that were requested and not drawn yet. */
  const frames: Schedule['frames'] = new Dictionary();

  const wrap: Wrap = (name, call, owner = globalThis) => {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    const target = (owner as Record<string, unknown>)[name];
    if (typeof target !== 'function') return;
    const proxy = new Proxy(target, { apply: (original, self, args) => call(original, self, args) });
    const kind = { writable: true, configurable: true, enumerable: property?.enumerable ?? true };
    Object.defineProperty(owner, name, { ...kind, value: proxy });
  };
  const invoke = (target: unknown, self: unknown, args: unknown[]) =>
    apply(target as (...all: unknown[]) => unknown, self, args);

  const isCallable = (value: unknown) => typeof value === 'function';
  /** Whether a callback, by its source, opens another page. A comparison with the URL does not. */
  const opening =
    /(?<!(?:const|let|var)\s+)(?<![\w$.])(?:(?:window|document|self|top|parent|globalThis)\.)*location(?:\.href\s*=(?!=)|\s*=(?![=>])|\.(?:assign|replace)\s*\()|\b[rR]edirect\w*\s*\(/;
  const opensPage = (callback: unknown) => {
    const source = typeof callback === 'function' ? apply(sourceOf, callback, []) : string(callback);
    // What redirects is short, and a callback may be all of a bundle.
    return apply(matches, opening, [apply(partOf, source, [0, 5_000])]);
  };

  // While the page is held, what was scheduled before waits. What the held page does in response to an event, such as a resized
  // window, may schedule work, but that work may not schedule more: it would go on without end.
  let isHeld = false;
  let isReacting = false;
  const held: (() => void)[] = [];
  const later = globalThis.setTimeout;
  const clock: PageClock = startClock({ timers, intervals, frames }, wrap, pace);
  const { now } = clock;
  const holdable = (callback: unknown) => {
    if (typeof callback !== 'function') return callback;
    const reacts = isHeld && !isReacting;
    return function run(this: unknown, ...args: unknown[]) {
      if (!isHeld) return invoke(callback, this, args);
      if (!reacts) {
        held.push(() => invoke(callback, this, args));
        return undefined;
      }
      isReacting = true;
      try {
        return invoke(callback, this, args);
      } finally {
        isReacting = false;
      }
    };
  };
  /** Runs at intervals: those that pass while the page is held are left out. */
  const skippable = (callback: unknown) =>
    typeof callback !== 'function'
      ? callback
      : function run(this: unknown, ...args: unknown[]) {
          return isHeld ? undefined : invoke(callback, this, args);
        };

  /** Forgets the timer when its callback runs, and counts the timers that the callback sets. */
  const tracked = (callback: unknown, entry: { id?: unknown; depth: number }) =>
    typeof callback !== 'function'
      ? callback
      : function run(this: unknown, ...args: unknown[]) {
          timers.delete(entry.id);
          clock.forget(entry.id);
          const before = depth;
          depth = entry.depth;
          try {
            return invoke(callback, this, args);
          } finally {
            depth = before;
          }
        };
  wrap('setTimeout', (target, self, args) => {
    const [given, delay, ...more] = args;
    const callback = holdable(given);
    const ms = number(delay) || 0;
    if (ms > longestMs || timers.size >= most) return invoke(target, self, [callback, delay, ...more]);
    const entry: { id?: unknown; depth: number } = { depth: depth + 1 };
    const run = tracked(callback, entry);
    const id = invoke(target, self, [run, delay, ...more]);
    entry.id = id;
    // As browsers do, so that timers without a delay let time pass.
    const due = now() + (ms < 4 && depth > 4 ? 4 : ms);
    // Shorter ones are waited for anyway.
    const opens = ms >= tickMs && opensPage(given);
    timers.set(id, {
      due,
      depth: entry.depth,
      opens,
      ...(isCallable(run) && { run: () => invoke(run, globalThis, more) }),
    });
    return id;
  });
  wrap('requestIdleCallback', (target, self, [given, ...more]) => {
    const callback = holdable(given);
    const entry: { id?: unknown; depth: number } = { depth: depth + 1 };
    const id = invoke(target, self, [tracked(callback, entry), ...more]);
    entry.id = `idle ${id}`;
    if (timers.size < most) timers.set(entry.id, { due: now(), depth: entry.depth });
    return id;
  });
  const { Scheduler } = globalThis as { Scheduler?: { prototype: object } };
  const postTask = (target: unknown, self: unknown, [given, options, ...more]: unknown[]) => {
    const callback = holdable(given);
    const ms = number((options as { delay?: number } | undefined)?.delay) || 0;
    if (ms > longestMs || timers.size >= most) return invoke(target, self, [callback, options, ...more]);
    const entry = { id: {}, depth: depth + 1 };
    timers.set(entry.id, { due: now() + ms, depth: entry.depth });
    return invoke(target, self, [tracked(callback, entry), options, ...more]);
  };
  if (Scheduler) wrap('postTask', postTask, Scheduler.prototype);
  wrap('setInterval', (target, self, args) => {
    const [callback, delay, ...more] = args;
    const ms = number(delay) || 0;
    const run = skippable(callback);
    if (intervals.size >= most || ms > tickMs) return invoke(target, self, [run, delay, ...more]);
    const interval: TrackedInterval = { due: now() + ms, ms, countsDown: ms > checkMs && opensPage(callback) };
    const runs = isCallable(run);
    if (runs) {
      interval.run = () => {
        timers.delete(id);
        invoke(run, globalThis, more);
      };
    }
    // While the clock is hurried, it runs them.
    const unlessHurried = () => {
      if (clock.isHurried()) return;
      interval.due = now() + ms;
      interval.run?.();
    };
    const id = invoke(target, self, [runs ? unlessHurried : run, delay]);
    intervals.set(id, interval);
    // Its first run may fill the page, as a timer does: a clock, a countdown, or data that are polled.
    if (runs && ms > checkMs && timers.size < most) timers.set(id, { due: interval.due, depth: depth + 1 });
    return id;
  });
  for (const name of ['clearTimeout', 'clearInterval']) {
    wrap(name, (target, self, [id, ...more]) => {
      timers.delete(id);
      intervals.delete(id);
      const native = clock.nativeId(id);
      clock.forget(id);
      return invoke(target, self, [native, ...more]);
    });
  }
  wrap('cancelIdleCallback', (target, self, args) => {
    timers.delete(`idle ${args[0]}`);
    return invoke(target, self, args);
  });
  wrap('requestAnimationFrame', (target, self, [given, ...more]) => {
    const callback = holdable(given);
    if (!isCallable(callback)) return invoke(target, self, [callback, ...more]);
    const run = (at: number) => {
      frames.delete(id);
      // A frame that Chromium began before the clock was hurried has an earlier time than those that were run since.
      if (at > frameAt) frameAt = at;
      invoke(callback, globalThis, [frameAt]);
    };
    const id: unknown = invoke(target, self, [(at: number) => run(at + clock.aheadMs()), ...more]);
    if (frames.size < most) frames.set(id, run);
    return id;
  });
  wrap('cancelAnimationFrame', (target, self, args) => {
    frames.delete(args[0]);
    return invoke(target, self, args);
  });

  // Margins in percent of the window would grow with it, and hide the ends of the page.
  const Observer = globalThis.IntersectionObserver;
  globalThis.IntersectionObserver = new Proxy(Observer, {
    construct(target, [callback, options, ...more], self) {
      const { root, rootMargin } = (options ?? {}) as IntersectionObserverInit;
      const isRelative = (root ?? document) === document && typeof rootMargin === 'string' && /%/.test(rootMargin);
      const given = isRelative ? { ...options, rootMargin: inPixels(rootMargin) } : options;
      return Reflect.construct(target, [callback, given, ...more], self);
    },
  });
  function inPixels(margin: string): string {
    const [top = '0px', right = top, bottom = top, left = right] = margin.trim().split(/\s+/);
    const pixels = (part: string) =>
      part.endsWith('%') ? `${(number(part.slice(0, -1)) / 100) * innerHeight}px` : part;
    return [pixels(top), right, pixels(bottom), left].join(' ');
  }

  // Queries for the height of the window keep their result when the viewport grows.
  wrap('matchMedia', (target, self, [query, ...more]) => {
    const list = invoke(target, self, [query, ...more]) as MediaQueryList;
    const isForHeight = /height|orientation|aspect-ratio/i.test(list.media);
    return isForHeight ? invoke(target, self, [list.matches ? 'all' : 'not all']) : list;
  });

  // The page has no other way to the roots that it closes, and neither have we.
  const closedRoots: WeakRef<ShadowRoot>[] = [];
  const attachShadow = (target: unknown, self: unknown, args: unknown[]) => {
    const root = invoke(target, self, args) as ShadowRoot;
    if (root.mode === 'closed' && closedRoots.length < most) closedRoots[closedRoots.length] = new Weak(root);
    return root;
  };
  wrap('attachShadow', attachShadow, Element.prototype);
  const { highlights } = CSS;
  const { set, delete: remove } = Object.getPrototypeOf(highlights) as HighlightRegistry;
  const sendRoots = () => {
    const places: StaticRange[] = [];
    for (let index = 0; index < closedRoots.length; index += 1) {
      const root = closedRoots[index]?.deref();
      if (!root?.isConnected) continue;
      const place = { startContainer: root, startOffset: 0, endContainer: root, endOffset: 0 };
      places[places.length] = new Place(place);
    }
    if (places.length === 0) return;
    apply(set, highlights, [event, Reflect.construct(Places, places)]);
    send(new Message(`${event}-roots`));
    apply(remove, highlights, [event]);
  };

  // A worker computes without a request; the page can be thought ready before its message.
  const workers = new Dictionary<Worker, number>();
  if (globalThis.Worker) {
    const listenTo = EventTarget.prototype.addEventListener;
    const start = (target: typeof Worker, args: unknown[], self: unknown) => {
      const worker = Reflect.construct(target, args, self as NewableFunction) as Worker;
      if (workers.size >= most) return worker;
      workers.set(worker, readNow() + workerMs);
      for (const name of ['message', 'error']) apply(listenTo, worker, [name, () => workers.delete(worker)]);
      return worker;
    };
    const value = new Proxy(globalThis.Worker, { construct: start });
    Object.defineProperty(globalThis, 'Worker', { value, writable: true, configurable: true, enumerable: false });
    const post = (target: unknown, self: unknown, args: unknown[]) => {
      if (workers.size < most) workers.set(self as Worker, readNow() + workerMs);
      return invoke(target, self, args);
    };
    wrap('postMessage', post, value.prototype);
  }

  // By hand: pages change what `JSON.stringify` does with arrays.
  const respond = () => {
    const at = now();
    let pending = '';
    let count = 0;
    for (const [id, { due, depth: inARow, opens = false }] of timers) {
      // A callback that is text does not report that it ran.
      if (at - due > 1_000) timers.delete(id);
      else if (count < most) {
        count += 1;
        pending += `${pending && ','}{"inMs":${due - at},"depth":${inARow},"opens":${opens}}`;
      }
    }
    let everyMs = 0;
    let loops = frames.size > 0;
    let countsDown = false;
    for (const interval of intervals.values()) {
      const { ms } = interval;
      if (ms > checkMs) countsDown ||= interval.countsDown;
      else if (ms <= fastMs) loops = true;
      else if (ms > everyMs) everyMs = ms;
    }
    let workerForMs = 0;
    for (const until of workers.values()) if (until - readNow() > workerForMs) workerForMs = until - readNow();
    const state = `"loops":${loops},"everyMs":${everyMs},"working":${clock.isWorking()},"aheadMs":${clock.aheadMs()}`;
    const more = `"countsDown":${countsDown},"workerForMs":${workerForMs}`;
    const detail = `{"timers":[${pending}],${state},${more}}`;
    send(new Message(`${event}-reply`, { detail }));
  };
  const receive = (message: Event) => {
    const { detail } = message as CustomEvent;
    if (detail === null) respond();
    else if (detail === 'roots') sendRoots();
    else clock.hurry(number(detail) || 0);
  };
  const send = document.dispatchEvent.bind(document);
  let isSilent = false;
  const { addEventListener: add } = EventTarget.prototype;
  const listeners: Record<string, (message: Event) => void> = {
    [event]: receive,
    [`${event}-silence`]: () => {
      isSilent = true;
    },
    [`${event}-notify`]: () => {
      isSilent = false;
    },
    [`${event}-hold`]: () => {
      clock.hurry(0);
      isHeld = true;
      timers.clear();
      intervals.clear();
      frames.clear();
    },
    [`${event}-release`]: () => {
      isHeld = false;
      for (const run of held.splice(0)) later(run, 0);
    },
  };
  const silence = (resize: Event) => {
    if (isSilent) resize.stopImmediatePropagation();
  };
  const listen = () => {
    // The first listener: of the window's, those of capture have no precedence.
    apply(add, globalThis, ['resize', silence]);
    for (const name in listeners) apply(add, document, [name, listeners[name]]);
  };
  listen();
  // They remove the listeners of their document and window.
  for (const name of ['open', 'write', 'writeln']) {
    wrap(
      name,
      (target, self, args) => {
        const result = invoke(target, self, args);
        if (self === document) listen();
        return result;
      },
      Document.prototype,
    );
  }
}
