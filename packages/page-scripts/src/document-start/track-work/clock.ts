import { readNow } from '../page-world/wrap.ts';
import { frames, intervals, timers } from './schedule.ts';

// The clock of a page, which can be hurried: timers and animation frames then run in their order, each at its own time, without
// the pauses between them. A page that waits for nothing else looks afterwards as it would have after that time.
//
// It cannot be hurried from when the page starts workers or connections that may change it at any time, and is not for a
// second after it requests data.

/** Eight frames of the page for each that is drawn: 3.5 s of an animation take half a second. */
const framesAtOnce = 8;
const frameMs = 1_000 / 60;

/** A page that has requested data has the real time for so long, so that its own time limit does not end the request, milliseconds. */
const afterRequestMs = 1_000;

const { reportError, MessageChannel: Channel, Map: Dictionary, Math: math } = globalThis;
const [start, clear] = [globalThis.setTimeout.bind(globalThis), globalThis.clearTimeout.bind(globalThis)];
const [draw, cancel] = [requestAnimationFrame.bind(globalThis), cancelAnimationFrame.bind(globalThis)];

let ahead = 0;
/** The ids of timers that were set again, as their time came nearer. */
const natives = new Dictionary<unknown, number>();
/** When hurrying ends, in real time; 0 if the clock is not hurried. */
let until = 0;
let mayHurry = true;
/** How many pieces of work are going on that take real time. */
let working = 0;
/** When the page last requested data, in real time. */
let requestedAt = -afterRequestMs;
/** How many frames may run before the next one is drawn, and when the first is due. */
let left = 0;
let frameAt = 0;
let channel: MessageChannel | undefined;
let isPosted = false;

/** Milliseconds, as `performance.now()` of the page's scripts. */
export function now(): number {
  return readNow() + ahead;
}

/** How far the clock is ahead of the real one, milliseconds. */
export function aheadMs(): number {
  return ahead;
}

export function isHurried(): boolean {
  return until > 0;
}

/** Whether something is going on that takes real time. */
export function isWorking(): boolean {
  return working > 0;
}

/** The id by which the browser knows a timer. */
export function nativeId(id: unknown): unknown {
  return natives.get(id) ?? id;
}

export function forget(id: unknown): void {
  natives.delete(id);
}

/** Lets time pass quickly for so many real milliseconds at most; 0 ends that. */
export function hurry(forMs: number): void {
  if (!mayHurry || forMs <= 0 || working > 0 || readNow() - requestedAt < afterRequestMs) {
    stop();
    return;
  }
  const wasHurried = until > 0;
  until = readNow() + forMs;
  if (!wasHurried) beginFrame();
}

/** The page has a peer that may change it at any time: the clock is the real one from now on. */
export function stopForGood(): void {
  mayHurry = false;
  stop();
}

/** The page requests data. */
export function noteRequest(): void {
  requestedAt = readNow();
  stop();
}

/** Work that takes real time begins. Returns the function that ends it. */
export function beginWork(): () => void {
  working += 1;
  stop();
  return () => {
    working -= 1;
  };
}

/** Each frame that is drawn lets the next ones run. */
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

/** Each step is a task, so that promises are settled between them. */
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

/** The timer or interval that is due first. */
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
        // An interval that is late runs once, as in a browser.
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

/** From now on timers run as they are due. */
function stop(): void {
  if (until === 0) return;
  until = 0;
  for (const [id, { due, run }] of timers) {
    if (!run) continue;
    clear(nativeId(id) as number);
    natives.set(id, Number(start(run, due - now())));
  }
}
