import { readNow } from '../page-world/wrap.ts';
import { frames, intervals, timers } from './schedule.ts';

// Hurries the clock of a page: timers and animation frames then run in their order, each at its own time, without the pauses
// between them. A page that waits for nothing else looks afterwards as it would have after that time.
// The clock is no longer hurried once the page starts workers or connections that may change it at any time, and not for a second
// after the page requests data.

/** How many frames of the page run for each drawn frame: with eight, 3.5 s of an animation take half a second. */
const framesAtOnce = 8;
const frameMs = 1_000 / 60;

/** How long a request keeps the clock at real time, so that the page's own time limit does not end it, milliseconds. */
const afterRequestMs = 1_000;

const { reportError, MessageChannel: Channel, Map: Dictionary, Math: math } = globalThis;
const [start, clear] = [globalThis.setTimeout.bind(globalThis), globalThis.clearTimeout.bind(globalThis)];
const [draw, cancel] = [requestAnimationFrame.bind(globalThis), cancelAnimationFrame.bind(globalThis)];

let ahead = 0;
/** The browser's ids of timers that were set again when the clock brought their time nearer. */
const natives = new Dictionary<unknown, number>();
/** When hurrying ends, in real time; 0 if the clock is not hurried. */
let until = 0;
let mayHurry = true;
/** The number of pieces of work in progress that take real time. */
let working = 0;
/** When the page last requested data, in real time. */
let requestedAt = -afterRequestMs;
/** The number of frames that may run before the next frame is drawn, and when the first of them is due. */
let left = 0;
let frameAt = 0;
let channel: MessageChannel | undefined;
let isPosted = false;

/** Returns `performance.now()` as the page's scripts see it, milliseconds. */
export function now(): number {
  return readNow() + ahead;
}

export function aheadMs(): number {
  return ahead;
}

export function isHurried(): boolean {
  return until > 0;
}

/** Whether work is in progress that takes real time. */
export function isWorking(): boolean {
  return working > 0;
}

/** Returns the id by which the browser knows a timer. */
export function nativeId(id: unknown): unknown {
  return natives.get(id) ?? id;
}

export function forget(id: unknown): void {
  natives.delete(id);
}

/** Hurries the clock for at most so many real milliseconds; 0 ends that. */
export function hurry(forMs: number): void {
  if (!mayHurry || forMs <= 0 || working > 0 || readNow() - requestedAt < afterRequestMs) {
    stop();
    return;
  }
  const wasHurried = until > 0;
  until = readNow() + forMs;
  if (!wasHurried) beginFrame();
}

/** Keeps real time from now on: the page has a peer that may change it at any time. */
export function stopForGood(): void {
  mayHurry = false;
  stop();
}

/** Notes that the page requests data. */
export function noteRequest(): void {
  requestedAt = readNow();
  stop();
}

/** Notes the start of work that takes real time. Returns the function that ends the work. */
export function beginWork(): () => void {
  working += 1;
  stop();
  return () => {
    working -= 1;
  };
}

/** Lets the next frames run whenever a frame is drawn. */
function beginFrame(): void {
  if (!isOngoing()) return;
  left = framesAtOnce;
  frameAt = now() + frameMs;
  post();
  draw(beginFrame);
}

function isOngoing(): boolean {
  if (until > 0 && readNow() > until) stop();
  return until > 0;
}

/** Runs each step as a task, so that promises settle between steps. */
function post(): void {
  if (isPosted) return;
  isPosted = true;
  if (!channel) {
    channel = new Channel();
    channel.port1.onmessage = step;
  }
  channel.port2.postMessage(null);
}

/** Runs the next piece of work: a timer, or all callbacks of a frame. */
function step(): void {
  isPosted = false;
  if (!isOngoing()) return;
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

interface NextTimer {
  due: number;
  run: () => void;
}

/** Returns the timer or interval that is due first. */
function nextTimer(): NextTimer | null {
  let next: NextTimer | null = null;
  for (const [id, { due, run }] of timers) {
    if (!run || (next && next.due <= due)) continue;
    next = {
      due,
      run() {
        clear(nativeId(id) as number);
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
        // A late interval runs once, as in a browser.
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
  ahead = math.max(ahead, due - readNow());
}

/** Ends hurrying: from now on timers run when they are due. */
function stop(): void {
  if (until === 0) return;
  until = 0;
  for (const [id, { due, run }] of timers) {
    if (!run) continue;
    clear(nativeId(id) as number);
    natives.set(id, Number(start(run, due - now())));
  }
}
