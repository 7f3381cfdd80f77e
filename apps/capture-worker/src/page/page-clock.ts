/// <reference lib="dom" />

/** Wraps a function of an owner, by default of the window; see `trackWork`. */
export type Wrap = (
  name: string,
  call: (target: unknown, self: unknown, args: unknown[]) => unknown,
  owner?: object,
) => void;

/** What the page's scripts have scheduled, by the ids that they know. Times are those of the page's clock. */
export interface Schedule {
  timers: Map<unknown, { due: number; depth: number; run?: () => void }>;
  intervals: Map<unknown, { due: number; ms: number; run?: () => void }>;
  frames: Map<unknown, (at: number) => void>;
}

export interface PageClock {
  /** Milliseconds, as `performance.now()` of the page's scripts. */
  now(): number;
  /** How far it is ahead of the real one, milliseconds. */
  aheadMs(): number;
  isHurried(): boolean;
  /** Whether something is going on that takes real time: see `realWork`. */
  isWorking(): boolean;
  /** Lets time pass quickly for so many real milliseconds at most; 0 ends that. */
  hurry(forMs: number): void;
  /** The id by which the browser knows a timer. */
  nativeId(id: unknown): unknown;
  forget(id: unknown): void;
}

/**
 * Eight frames of the page for each that is drawn: 3.5 s of an animation take half a second. A page that has requested data has
 * the real time for a second, so that its own time limit does not end the request.
 */
export const clockPace = { framesAtOnce: 8, frameMs: 1_000 / 60, afterRequestMs: 1_000 };

/**
 * The clock of a page, which can be hurried: timers and animation frames then run in their order, each at its own time, without
 * the pauses between them. A page that waits for nothing else looks afterwards as it would have after that time. Runs in the
 * page's world before its scripts, so it must be self-contained.
 *
 * It cannot be hurried from when the page starts workers or connections that may change it at any time, and is not for a
 * second after it requests data.
 */
export function pageClock(
  { timers, intervals, frames }: Schedule,
  wrap: Wrap,
  { framesAtOnce, frameMs, afterRequestMs }: typeof clockPace,
): PageClock {
  const { apply, construct } = Reflect;
  const { reportError, MessageChannel: Channel, Map: Dictionary, Math: math } = globalThis;
  const [start, clear] = [globalThis.setTimeout.bind(globalThis), globalThis.clearTimeout.bind(globalThis)];
  const [draw, cancel] = [requestAnimationFrame.bind(globalThis), cancelAnimationFrame.bind(globalThis)];
  const readNow = performance.now.bind(performance);
  let aheadMs = 0;
  const now = () => readNow() + aheadMs;
  /** Of timers that were set again, as their time came nearer. */
  const natives = new Dictionary<unknown, number>();
  /** When hurrying ends, in real time; 0 if it is not hurried. */
  let until = 0;
  let mayHurry = true;
  /** When the page last requested data, in real time. */
  let requestedAt = -afterRequestMs;
  /** How many frames may run before the next one is drawn, and when the first is due. */
  let left = 0;
  let frameAt = 0;
  let channel: MessageChannel | undefined;
  let isPosted = false;

  const add = (target: unknown, self: unknown, args: unknown[]) =>
    (apply(target as () => number, self, args) as number) + aheadMs;
  wrap('now', add, Performance.prototype);
  wrap('now', (...call) => math.round(add(...call)), Date);
  // A page may replace it by one that calls the constructor.
  const dateNow = Date.now;
  globalThis.Date = new Proxy(Date, {
    apply: (target) => new target(dateNow()).toString(),
    construct: (target, args, self) => construct(target, args.length === 0 ? [dateNow()] : args, self),
  });
  Object.defineProperty(Date.prototype, 'constructor', { value: Date, writable: true, configurable: true });
  // Scripts compare it with `performance.now()`.
  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp');
  if (stamp?.get) {
    const get = new Proxy(stamp.get, { apply: (...call) => add(...call) });
    Object.defineProperty(Event.prototype, 'timeStamp', { ...stamp, get });
  }
  shiftTimeline();
  shiftTemporal();

  for (const name of ['Worker', 'SharedWorker', 'WebSocket', 'EventSource', 'RTCPeerConnection', 'BroadcastChannel']) {
    const Peer = Reflect.get(globalThis, name);
    if (typeof Peer !== 'function') continue;
    const value = new Proxy(Peer, {
      construct(target, args, self) {
        mayHurry = false;
        stop();
        return construct(target, args, self);
      },
    });
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
  // What takes real time and may decide what the page shows: encryption, compilation, and short bodies, whose end Chromium only
  // reports if they are read.
  let working = 0;
  // Pages replace them, by libraries that follow asynchronous work.
  const { Promise: Eventual, Response: Reply } = globalThis;
  const { then } = Eventual.prototype;
  const readHeader = Headers.prototype.get;
  const ended = () => {
    working -= 1;
  };
  const realWork = (target: unknown, self: unknown, args: unknown[]) => {
    const result = apply(target as () => Promise<unknown>, self, args);
    const length = self instanceof Reply ? apply(readHeader, self.headers, ['content-length']) : '0';
    if (result instanceof Eventual && length !== null && Number(length) <= 65_536) {
      working += 1;
      stop();
      apply(then, result, [ended, ended]);
    }
    return result;
  };
  const { SubtleCrypto: Crypto, WebAssembly: Assembly } = globalThis;
  const reads = ['arrayBuffer', 'blob', 'formData', 'json', 'text'];
  for (const name of reads) wrap(name, realWork, Reply.prototype);
  const encryptions = ['decrypt', 'deriveBits', 'deriveKey', 'digest', 'encrypt', 'generateKey', 'sign', 'verify'];
  // Only secure pages have it.
  if (Crypto) for (const name of encryptions) wrap(name, realWork, Crypto.prototype);
  const compilations = ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'];
  for (const name of compilations) wrap(name, realWork, Assembly);
  const stopAndCall = (target: unknown, self: unknown, args: unknown[]) => {
    requestedAt = readNow();
    stop();
    return apply(target as () => unknown, self, args);
  };
  wrap('fetch', stopAndCall);
  wrap('send', stopAndCall, XMLHttpRequest.prototype);

  return {
    now,
    aheadMs: () => aheadMs,
    isHurried: () => until > 0,
    isWorking: () => working > 0,
    hurry(forMs) {
      if (!mayHurry || forMs <= 0 || working > 0 || readNow() - requestedAt < afterRequestMs) stop();
      else if (until > 0) until = readNow() + forMs;
      else {
        until = readNow() + forMs;
        beginFrame();
      }
    },
    nativeId: (id) => natives.get(id) ?? id,
    forget: (id) => natives.delete(id),
  };

  /** Scripts compare the time of the document's animations with `performance.now()`, and start animations by it. */
  function shiftTimeline(): void {
    const shift = (owner: object, name: string) => {
      const { get, set, ...property } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
      if (!get) return;
      // Timelines of the scroll position have no milliseconds, and animations that wait have none yet.
      const by = (value: unknown, ms: number) => (typeof value === 'number' ? value + ms : value);
      Object.defineProperty(owner, name, {
        ...property,
        get: new Proxy(get, { apply: (target, self, args) => by(apply(target, self, args), aheadMs) }),
        ...(set && {
          set: new Proxy(set, { apply: (target, self, [value]) => apply(target, self, [by(value, -aheadMs)]) }),
        }),
      });
    };
    shift(AnimationTimeline.prototype, 'currentTime');
    shift(Animation.prototype, 'startTime');
  }

  function shiftTemporal(): void {
    interface Moment {
      add(duration: { milliseconds: number }): Moment;
      [toPlain: `toPlain${string}`]: () => unknown;
    }
    const { Temporal } = globalThis as { Temporal?: { Now: Record<string, (zone?: unknown) => Moment> } };
    if (!Temporal) return;
    const { Now } = Temporal;
    const readZoned = Now.zonedDateTimeISO;
    const later = (moment: Moment) => moment.add({ milliseconds: math.round(aheadMs) });
    const addTo = (target: unknown, self: unknown, args: unknown[]) => later(apply(target as () => Moment, self, args));
    wrap('instant', addTo, Now);
    wrap('zonedDateTimeISO', addTo, Now);
    for (const kind of ['DateTime', 'Date', 'Time'] as const) {
      const read = (_: unknown, self: unknown, args: unknown[]) =>
        later(apply(readZoned as () => Moment, self, args))[`toPlain${kind}`]?.();
      wrap(`plain${kind}ISO`, read, Now);
    }
  }

  /** Each frame that is drawn lets the next ones run. */
  function beginFrame(): void {
    if (until === 0) return;
    if (readNow() > until) {
      stop();
      return;
    }
    left = framesAtOnce;
    frameAt = now() + frameMs;
    post();
    draw(beginFrame);
  }

  /** In tasks of their own: promises are settled between them. */
  function post(): void {
    if (isPosted) return;
    isPosted = true;
    if (!channel) {
      channel = new Channel();
      channel.port1.onmessage = step;
    }
    channel.port2.postMessage(null);
  }

  /** Runs what comes next: a timer, or all that is scheduled for a frame. */
  function step(): void {
    isPosted = false;
    if (until === 0) return;
    if (readNow() > until) {
      stop();
      return;
    }
    const timer = nextTimer();
    if (timer && timer.due <= frameAt) {
      jumpTo(timer.due);
      attempt(timer.run);
    } else if (left > 0) {
      left -= 1;
      jumpTo(frameAt);
      frameAt = now() + frameMs;
      runFrames();
    } else {
      return;
    }
    post();
  }

  function nextTimer(): { due: number; run: () => void } | null {
    let next: { due: number; run: () => void } | null = null;
    for (const [id, { due, run }] of timers) {
      if (!run || (next && next.due <= due)) continue;
      next = {
        due,
        run() {
          clear((natives.get(id) ?? id) as number);
          run();
        },
      };
    }
    for (const interval of intervals.values()) {
      const { due, ms, run } = interval;
      if (!run || (next && next.due <= due)) continue;
      next = {
        due,
        run() {
          // Those that are late run once, as in a browser.
          interval.due = math.max(due + math.max(ms, 4), now());
          run();
        },
      };
    }
    return next;
  }

  function runFrames(): void {
    const at = now();
    for (const [id, run] of [...frames]) {
      if (!frames.has(id)) continue;
      cancel(id as number);
      attempt(() => run(at));
    }
  }

  function attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      reportError(error);
    }
  }

  function jumpTo(due: number): void {
    aheadMs = math.max(aheadMs, due - readNow());
  }

  /** From now on timers run as they are due. */
  function stop(): void {
    if (until === 0) return;
    until = 0;
    for (const [id, { due, run }] of timers) {
      if (!run) continue;
      clear((natives.get(id) ?? id) as number);
      natives.set(id, Number(start(run, due - now())));
    }
  }
}
