import type { WaitEnd } from '../page/wait-end.ts';
import { longestMs, type Timers, timerLimits } from './timers.ts';
import { checkEveryMs, lookEveryMs, mayChange, readyWithinMs, type View } from './view.ts';

/** The facts of a look that are true or false. */
type Fact = { [Name in keyof View]: View[Name] extends boolean ? Name : never }[keyof View];

/** The state that a wait keeps for its reasons from look to look. */
export interface Memory {
  timers: Timers;
  /**
   * Since when nothing has moved in a page that draws frame by frame, by the page's clock; null before the first look at that.
   */
  stillSince: number | null;
  /** Notes that later waits ignore elements that move without an end, or stay hidden. */
  noteEndless(view: View): void;
  /** Whether scripts have kept the page moving for longer than any motion that ends. */
  movesWithoutEnd(): boolean;
}

interface Base {
  /**
   * Whether the reason is present: a fact of the look, or a function. A number says that the reason is present, and may end in so
   * many milliseconds; otherwise the next look is after `lookEveryMs`.
   */
  when: Fact | ((view: View, memory: Memory) => boolean | number);
  /** How long the reason delays the capture, milliseconds after the page was ready. */
  withinMs: number | ((view: View) => number);
  /**
   * Given if only the page's own clock must advance: `withinMs` then counts by this clock, and the function decides whether to
   * hurry the clock. A present reason without `hurry` keeps the clock at real time.
   */
  hurry?: (view: View) => boolean;
  /** Whether later stages of the capture ignore the reason in a document in which it lasted too long. */
  once?: true;
  /** Called when the reason is present for longer than `withinMs`. */
  outlasts?: (view: View, memory: Memory) => void;
}

/** A reason that receipts name if the wait ended while the reason lasted. `waitEnds` of the contract describes its name. */
interface NamedReason extends Base {
  name: WaitEnd;
  /** Whether the reason lasts when the wait ends; the same as `when` unless given. */
  lasts?: (view: View, memory: Memory) => boolean;
  /** Whether a visitor would see a gap while the reason lasts. */
  isGap?: true;
}

/** A reason without which the page is complete. */
interface UnnamedReason extends Base {
  name: string;
  lasts?: never;
  isGap?: never;
}

type Reason = NamedReason | UnnamedReason;

/** Script-driven motion ends within this time, or does not end. Charts take 1,000 ms, staggered charts 2,500 ms. */
const motionWithinMs = 3_500;

const always = () => true;

/** The reasons to wait for a page, in their order: the first present reason decides the time of the next look. */
export const reasons: readonly Reason[] = [
  {
    // The page's scripts, or a video, keep a page from loading when no request does.
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
    // Scenes in three dimensions keep a machine without a graphics card busy even if they do not change.
    when: ({ busy, loops, unchangedMs }) => busy && !(loops && unchangedMs > 1_500) && 1,
    withinMs: 5_000,
  },
  {
    // Scripts may not have checked yet what is in view. A script that adds to the page at each check is ignored.
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
    // The work is encryption, compilation or a short body.
    name: 'work',
    when: 'working',
    withinMs: ({ impression }) => (impression === 'finished' ? timerLimits.soonMs : timerLimits.withinMs),
    once: true,
  },
  {
    // A page with gaps may wait for the message of a worker.
    name: 'worker',
    when: ({ workerForMs, undrawn, impression }) =>
      workerForMs > 0 && (undrawn || impression === 'thin' || impression === 'loading'),
    withinMs: 2_000,
  },
  {
    // This reason alone does not delay the capture: the page's requests and timers are waited for longer.
    name: 'loading',
    when: (view) => view.impression === 'loading' && mayChange(view),
    withinMs: 0,
    isGap: true,
  },
  {
    // While the page has nothing in flight, sockets and workers may still fill it.
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
    // Scripts that restart an animation for the rest of its time have finished only when that time is over.
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

/** A present reason: how long until it may end, milliseconds, and whether to hurry the page's clock. */
export interface PresentReason {
  name: string;
  forMs: number;
  hurry: boolean;
}

/**
 * Returns the first present reason to wait; null if there is none.
 *
 * @param exhausted the names of the reasons that lasted too long in this document. The function adds reasons.
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

/** Whether no reason needs the real time. A blank canvas may be drawn out of view, such as a scene in preparation. */
export function needsNoRealTime(view: View, memory: Memory): boolean {
  if (!view.loaded || view.busy || view.relevant > 0 || (view.undrawn && view.readyMs < 1_000)) return false;
  return !reasons.some((reason) => !reason.hurry && isPresent(reason, view, memory) !== false);
}

export function lastingReasons(view: View, memory: Memory): NamedReason[] {
  return reasons
    .filter((reason): reason is NamedReason => reason.lasts !== undefined || reason.isGap === true)
    .filter((reason) => reason.lasts?.(view, memory) ?? isPresent(reason, view, memory) !== false);
}
