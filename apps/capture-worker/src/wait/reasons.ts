import type { WaitEnd } from '../page/wait-end.ts';
import { longestMs, type Timers, timerLimits } from './timers.ts';
import { checkEveryMs, lookEveryMs, mayChange, readyWithinMs, type View } from './view.ts';

/** The facts of a look that are true or false. */
type Fact = { [Name in keyof View]: View[Name] extends boolean ? Name : never }[keyof View];

/** The wait for a page remembers this for its reasons, from look to look. */
export interface Memory {
  timers: Timers;
  /** Since when nothing has moved in a page that draws frame by frame, by the page's clock; null before the first look at that. */
  stillSince: number | null;
  /** Notes that what moves without an end, or stays hidden, is not waited for again. */
  noteEndless(view: View): void;
  /** Whether scripts have kept the page moving for longer than any motion that ends. */
  movesWithoutEnd(): boolean;
}

interface Base {
  /**
   * Whether the reason is present: a fact of the look, or a function. A number says that the reason is present, and may be
   * gone in so many milliseconds; otherwise the page is looked at again after `lookEveryMs`.
   */
  when: Fact | ((view: View, memory: Memory) => boolean | number);
  /** How long a page is waited for because of the reason, milliseconds after it was ready. */
  withinMs: number | ((view: View) => number);
  /**
   * Given if only the page's own clock must go on: the time is that of this clock, and whether the clock is hurried. A
   * present reason without it keeps the clock from being hurried.
   */
  hurry?: (view: View) => boolean;
  /** Whether a document that does not get over the reason in time is not waited for again, by later stages of the capture. */
  once?: true;
  /** Called when the reason is present for longer than `withinMs`. */
  outlasts?: (view: View, memory: Memory) => void;
}

/** A reason that receipts name, if the wait ended while it lasted. `waitEnds` of the contract says its name in words. */
interface NamedReason extends Base {
  name: WaitEnd;
  /** Whether the reason lasts when the wait ends; as `when` says unless given. */
  lasts?: (view: View, memory: Memory) => boolean;
  /** Whether a visitor would see that something is missing while the reason lasts. */
  isGap?: true;
}

/** A reason that the page is complete without. */
interface UnnamedReason extends Base {
  name: string;
  lasts?: never;
  isGap?: never;
}

/** Why a page is waited for. */
type Reason = NamedReason | UnnamedReason;

/** Script-driven motion ends within this time, or does not end. Charts take 1,000 ms, staggered ones 2,500 ms. */
const motionWithinMs = 3_500;

const always = () => true;

/** The reasons to wait for a page, in their order: the first that is present decides how long it is until the next look. */
export const reasons: readonly Reason[] = [
  {
    // The page's own scripts, or a video, keep a page from loading when no request does.
    name: 'stalled',
    when: ({ loaded, inFlight, silentMs }) => !loaded && inFlight === 0 && silentMs < 1_000 && checkEveryMs,
    withinMs: Number.POSITIVE_INFINITY,
    lasts: ({ loaded }) => !loaded,
  },
  {
    // Each request has its limit; see `expected-wait.ts`.
    name: 'in flight',
    when: ({ awaited }) => awaited > 0 && checkEveryMs,
    withinMs: Number.POSITIVE_INFINITY,
    lasts: ({ inFlight }) => inFlight > 0,
  },
  {
    name: 'scripts at work',
    // Scenes in three dimensions that do not change keep a machine without a graphics card busy all the same.
    when: ({ busy, loops, unchangedMs }) => busy && !(loops && unchangedMs > 1_500) && 1,
    withinMs: 5_000,
  },
  {
    // Scripts that check at intervals whether something is in view have not checked yet. A script that adds to the page, or
    // changes it each time, goes on.
    name: 'checks',
    when: ({ everyMs, unchangedMs }) => everyMs > 0 && unchangedMs < everyMs + lookEveryMs && everyMs + lookEveryMs,
    withinMs: motionWithinMs,
    hurry: always,
  },
  { name: 'blank', when: 'blank', withinMs: 1_500, once: true },
  { name: 'font', when: 'fonts', withinMs: readyWithinMs, once: true, isGap: true },
  {
    name: 'cover',
    when: (view) => view.covered && mayChange(view),
    withinMs: readyWithinMs,
    once: true,
    isGap: true,
  },
  {
    name: 'redirect',
    when: ({ refreshInMs }) =>
      refreshInMs !== null && refreshInMs < longestMs && Math.min(refreshInMs + lookEveryMs, checkEveryMs),
    withinMs: readyWithinMs,
    isGap: true,
  },
  { name: 'countdown', when: ({ countsDown }) => countsDown && checkEveryMs, withinMs: readyWithinMs, hurry: always },
  {
    // Encryption, compilation, short bodies.
    name: 'work',
    when: 'working',
    withinMs: ({ impression }) => (impression === 'finished' ? timerLimits.soonMs : timerLimits.withinMs),
    once: true,
  },
  {
    // A page that has gaps is waited for because of the message of a worker.
    name: 'worker',
    when: ({ workerForMs, undrawn, impression }) =>
      workerForMs > 0 && (undrawn || impression === 'thin' || impression === 'loading'),
    withinMs: 2_000,
  },
  {
    // Not waited for alone: requests and timers of such a page are waited for longer.
    name: 'loading',
    when: (view) => view.impression === 'loading' && mayChange(view),
    withinMs: 0,
    isGap: true,
  },
  {
    // While nothing of the page is in flight, sockets and workers may still fill it.
    name: 'announced',
    when: ({ announced }) => announced !== null,
    withinMs: 3_000,
    lasts: ({ announced }) => announced === 'page',
    isGap: true,
  },
  { name: 'video', when: 'videos', withinMs: 2_500 },
  { name: 'timer', when: (view, { timers }) => timers.nextMs(view) ?? false, withinMs: readyWithinMs, hurry: always },
  {
    name: 'animation',
    when: ({ advanced }) => advanced && 1,
    withinMs: motionWithinMs,
    // Scripts that start an animation again for the rest of its time have finished only when that is over.
    hurry: ({ advancedLooks }) => advancedLooks >= 3,
  },
  {
    name: 'moving',
    when: nextLookAtMotion,
    withinMs: motionWithinMs,
    hurry: always,
    outlasts: (view, memory) => memory.noteEndless(view),
    lasts: ({ loops, moving }, memory) => loops && (moving || memory.movesWithoutEnd()),
  },
];

/** A page that draws frame by frame has finished moving when it was still for 300 ms, and hides nothing. */
function nextLookAtMotion({ loops, moving, hidden, pageMs }: View, memory: Memory): number | false {
  if (!loops) return false;
  if (moving || memory.stillSince === null) memory.stillSince = pageMs;
  if (pageMs - memory.stillSince >= 300 && !hidden) return false;
  return pageMs < lookEveryMs ? 1 : lookEveryMs;
}

/** Whether a reason is present, as its `when` says. */
function isPresent({ when }: Reason, view: View, memory: Memory): boolean | number {
  return typeof when === 'string' ? view[when] : when(view, memory);
}

/** A reason that is present: how long until it may be gone, milliseconds, and whether the page's clock is to be hurried. */
export interface PresentReason {
  name: string;
  forMs: number;
  hurry: boolean;
}

/**
 * The first reason to wait that is present; null if there is none.
 *
 * @param exhausted the names of the reasons that the document did not get over before. Reasons are added.
 */
export function reasonToWait(view: View, memory: Memory, exhausted: Set<string>): PresentReason | null {
  for (const reason of reasons) {
    const { name, withinMs, hurry, once } = reason;
    const found = isPresent(reason, view, memory);
    if (found === false || (once && exhausted.has(name))) continue;
    const limitMs = typeof withinMs === 'number' ? withinMs : withinMs(view);
    if ((hurry ? view.pageMs : view.readyMs) < limitMs) {
      return { name, forMs: found === true ? lookEveryMs : found, hurry: hurry?.(view) ?? false };
    }
    if (once) exhausted.add(name);
    reason.outlasts?.(view, memory);
  }
  return null;
}

/** Whether no reason needs the real time. A blank canvas may be drawn out of our sight, such as a scene that is prepared. */
export function needsNoRealTime(view: View, memory: Memory): boolean {
  if (!view.loaded || view.busy || view.relevant > 0 || (view.undrawn && view.readyMs < 1_000)) return false;
  return !reasons.some((reason) => !reason.hurry && isPresent(reason, view, memory) !== false);
}

/** The reasons that last when the wait ends, in their order. */
export function lastingReasons(view: View, memory: Memory): NamedReason[] {
  return reasons
    .filter((reason): reason is NamedReason => reason.lasts !== undefined || reason.isGap === true)
    .filter((reason) => reason.lasts?.(view, memory) ?? isPresent(reason, view, memory) !== false);
}
