import type { Look } from '@capture/page-scripts/world/wait/look';
import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { isDocumentGone, PageScriptError, runInPage } from '../page/isolated-world.ts';
import type { InFlightRequest, PageActivity } from '../page/page-activity.ts';
import type { Unfinished, WaitEnd } from '../page/wait-end.ts';
import { waitUntil } from '../page/wait-until.ts';
import { isOfData, relevanceOf, silenceOf } from './expected-wait.ts';
import { lookIntoFrames } from './look-frames.ts';

/**
 * A request that blocks the parser (a script in the head, a style sheet) is cut off after this many milliseconds of
 * silence: without it there is nothing to draw.
 */
const blockedAfterMs = 5_000;

/** How often to check the proxy's byte counter, milliseconds; it has no events. */
const checkEveryMs = 250;

/** How long the load event is waited for when no request is in flight, milliseconds. */
const loadAfterMs = 1_000;

/**
 * The share of the remaining time for everything before the screenshot, and its limit in milliseconds. A document that still
 * arrives has all of the share: what is missing of it is missing in the image.
 */
const waitingShare = 2 / 3;
const waitAtMostMs = 12_000;

/** A frame takes 17 ms; busy pages need longer. A page may also draw no frame at all. */
export const frameWithinMs = 1_000;

/**
 * Frames until a change is certainly in the image: one that carries it, and two that Chromium begins only when those before have
 * been drawn. With fewer, a busy machine draws the first moment of an animation that was advanced to its end.
 */
export const framesToShow = 3;

/** How long scripts may keep a look from starting, milliseconds; then they are at work. */
const idleWithinMs = 200;

/**
 * How long scripts at work are waited for when nothing else is, less if they draw frames in which nothing changes, and a blank
 * page that has scripts, milliseconds.
 */
const busyWithinMs = 5_000;
const drawingForMs = 1_500;
const blankWithinMs = 1_500;

/** Characters of all URLs in flight that are looked for in the page: each look sends them to the browser. */
const maxLookedFor = 200_000;

/** How often to look at a page that moves, milliseconds, and for how long it must then be still. */
const lookEveryMs = 60;
const stillForMs = 300;

/** What may be at work out of our sight, such as a scene that is prepared, keeps the clock from being hurried for so long, milliseconds. */
const undrawnForMs = 1_000;

/** Scripts that start an animation again for the rest of its time have finished only when that is over: from this look on it is hurried. */
const advancedOften = 3;

/** Between two looks at a page that waits only for its own timers and frames, its clock is hurried for so many frames. */
const hurriedFrames = 3;

/**
 * Script-driven motion ends within this time after the page is ready, or does not end. Charts take 1,000 ms, staggered ones
 * 2,500 ms.
 */
const motionWithinMs = 3_500;

/**
 * Timers that are waited for: those that run this soon, within this time of the page being ready; longer ones, if the page
 * says that it is loading or is covered, or if they open another page. `maxDepth` timers in a row may be a sequence (letters
 * that are typed), more are a clock. After `maxFruitless` timers that changed nothing, only those that run within `fruitlessMs` are waited for.
 */
const timers = { soonMs: 2_000, withinMs: 3_000, longestMs: 5_000, maxDepth: 100, maxFruitless: 2, fruitlessMs: 1_500 };

/**
 * How long a page is waited for that says that it is loading while nothing of it is in flight: sockets and workers
 * may still fill it. Milliseconds after it was ready.
 */
const announcedWithinMs = 3_000;

/** How long a page that has gaps is waited for because of the message of a worker, milliseconds after it was ready. */
const workersWithinMs = 2_000;

/** How long the first frame of a video in view is waited for, milliseconds after the page was ready. */
const videosWithinMs = 2_500;

/** After this, only what is in view and still arriving is waited for; milliseconds after the page was ready. */
const readyWithinMs = 5_000;

/** Why a page is waited for: how long until the reason may be gone, and whether only its own clock must go on for that. */
interface Reason {
  forMs: number;
  hurry?: boolean;
}

export interface Settled {
  ended: WaitEnd;
  unfinished: Unfinished[];
}

/**
 * Waits for what a visitor would wait for: images and fonts in view, data and scripts that fill the page, short timers,
 * scheduled redirects, an opening screen, motion that ends. Trackers, beacons, sockets and polls are waited for a second at
 * most. A page with none of these takes one frame after its load event.
 */
export async function settleDocument(page: CapturePage, deadline: Deadline, withinMs?: number): Promise<Settled> {
  return new Wait(page, deadline, withinMs).run();
}

class Wait {
  readonly #page: CapturePage;
  readonly #deadline: Deadline;
  #end: number;
  /** Until when the document may arrive. */
  readonly #parsedBy: number;
  readonly #document: CapturePage['activity']['document'];
  /** When the document was parsed and first drawn. */
  #readyAt: number | null = null;
  /** How far the page's clock was ahead then, and is now, milliseconds. */
  #aheadAtFirstMs = 0;
  #aheadMs = 0;
  /** Whether the page's clock is hurried before the next look. */
  #hurry = false;
  /** Times of the page's clock, milliseconds since it was ready. */
  #stillSince: number | null = null;
  #changedAt = 0;
  #timerWaitedFor: number | null = null;
  #fruitless = 0;
  /** Whether a timer has changed something that can be seen. */
  #isFruitful = false;
  #wasCutOff = false;
  /** Whether the last look advanced animations, and how many in a row have. */
  #hasAdvanced = false;
  #advancedLooks = 0;
  /** When the first of the requests that are waited for will have been silent for too long, unless something arrives. */
  #awaitedUntil = Number.POSITIVE_INFINITY;
  /** Whether looks also find out if the page looks unfinished. */
  #assess = false;

  constructor(page: CapturePage, deadline: Deadline, withinMs: number | undefined) {
    this.#page = page;
    this.#deadline = deadline;
    this.#document = page.activity.document;
    const now = performance.now();
    const shareMs = deadline.remainingMs() * waitingShare;
    this.#end = now + Math.min(withinMs ?? waitAtMostMs, shareMs);
    this.#parsedBy = withinMs === undefined ? now + shareMs : this.#end;
  }

  async run(): Promise<Settled> {
    const { activity } = this.#page;
    for (;;) {
      if (!(await this.#untilParsed())) return { ended: this.#unparsed(), unfinished: ['loading'] };
      // Silence counts from here, not from the first look.
      await this.#checkBytes();
      // The usual case: everything arrives, then one look.
      if (!activity.document?.loaded) await this.#pause(checkEveryMs, ({ document }) => document?.loaded === true);
      const { inFlight, movedAt } = activity;
      const isIdle = activity.document?.loaded === true && inFlight === 0;
      const view = await this.#look();
      if (activity.document !== this.#document) return this.#summary(view);
      if (!view) {
        // Frames that are hard to draw are not hurried again.
        this.#hurry = false;
        this.#awaitedUntil = Number.POSITIVE_INFINITY;
        // Nothing is drawn before the style sheets of the head.
        if (await this.#isHeldUp(this.#end)) continue;
        return { ended: this.#wasCutOff ? 'cut off' : 'no frames', unfinished: ['loading'] };
      }
      if (this.#readyAt === null) this.#aheadAtFirstMs = view.aheadMs;
      this.#readyAt ??= performance.now();
      this.#aheadMs = view.aheadMs - this.#aheadAtFirstMs;
      this.#hasAdvanced = view.advanced;
      this.#advancedLooks = view.advanced ? this.#advancedLooks + 1 : 0;
      const mayMatter = view.working || view.timers.length > 0 || view.workerForMs > 0;
      if (view.impression === null && (mayMatter || activity.requestsInFlight.some((each) => isOfData(each, view)))) {
        // How long a timer, work or data is worth waiting for depends on what the page looks like without it.
        this.#assess = true;
        continue;
      }
      await this.#checkBytes();
      const reason = this.#reasonToWait(view);
      // A response often leads to the next request, and a frame to both: what was in flight before the look may have ended.
      if (!reason && (isIdle || activity.movedAt === movedAt)) return this.#summary(view);
      if (performance.now() >= this.#end) return this.#summary(view);
      this.#hurry = reason?.hurry === true && this.#mayHurry(view);
      if (reason && !this.#hurry) await this.#pause(reason.forMs);
    }
  }

  /** Waits until the document is parsed; false if it never is. */
  async #untilParsed(): Promise<boolean> {
    const { activity } = this.#page;
    if (activity.document?.contentLoaded) return true;
    for (;;) {
      const limits = { deadline: this.#deadline, limitMs: checkEveryMs };
      if (await waitUntil(this.#page, limits, ({ document }) => document?.contentLoaded === true)) break;
      const arrives = activity.requestsInFlight.some(({ type, inFrame }) => type === 'document' && !inFrame);
      if (!(await this.#isHeldUp(arrives ? this.#parsedBy : this.#end))) return false;
    }
    // What a slow document requests at its end may be in view, too.
    this.#end = Math.max(this.#end, Math.min(performance.now() + readyWithinMs, this.#parsedBy));
    return true;
  }

  /** Why the wait for a document ended that is not parsed. */
  #unparsed(): WaitEnd {
    if (this.#wasCutOff) return 'cut off';
    return this.#page.activity.inFlight > 0 && this.#silentMs() < blockedAfterMs ? 'stalled' : 'no frames';
  }

  #silentMs(): number {
    const { arrivals, activity, dialogAt } = this.#page;
    return performance.now() - Math.max(arrivals.at, activity.movedAt, dialogAt);
  }

  /**
   * Whether to go on waiting until `end` for a document that is not parsed or draws nothing. A request that has been silent for
   * long is cut off, once: the page continues as if the connection were lost.
   */
  async #isHeldUp(end: number): Promise<boolean> {
    const { activity } = this.#page;
    await this.#checkBytes();
    const silentMs = this.#silentMs();
    // With no request in flight, the page's own scripts hold it up.
    const isStuck = silentMs >= blockedAfterMs && activity.inFlight > 0;
    if (!isStuck) return performance.now() < end && (activity.inFlight > 0 || silentMs < blockedAfterMs);
    if (this.#wasCutOff) return false;
    this.#wasCutOff = true;
    await this.#page.cutOff();
    await waitUntil(
      this.#page,
      { deadline: this.#deadline, limitMs: frameWithinMs },
      ({ document }) => !!document?.loaded,
    );
    return true;
  }

  /** Looks at the page; null if it draws no frame in time or navigates. */
  async #look(): Promise<Look | null> {
    const { requestsInFlight } = this.#page.activity;
    let left = maxLookedFor;
    const urls = requestsInFlight
      .filter(({ type }) => type === 'image' || type === 'other')
      .flatMap(({ url, from }) => (from === url ? [url] : [from, url]))
      .filter((url) => {
        if (url.length > left) return false;
        left -= url.length;
        return true;
      });
    const afterFrames = this.#hasAdvanced ? framesToShow : 1;
    const { workEvent } = this.#page;
    const refreshHeader = this.#page.activity.mainResponse?.headers().refresh ?? null;
    const { endlessWaits } = this.#page;
    const input = {
      ...{ workEvent, urls, refreshHeader, assess: this.#assess, idleWithinMs, afterFrames, endlessWaits },
      hurriedFrames: this.#hurry ? hurriedFrames : 0,
    };
    const limitMs = this.#hurry ? frameWithinMs * 2 : frameWithinMs;
    const limits = { what: 'a frame', limitMs, deadline: this.#deadline };
    try {
      const readyMs = performance.now() - (this.#readyAt ?? performance.now());
      return await lookIntoFrames(this.#page, await runInPage(this.#page, 'look', input, limits), input, readyMs);
    } catch (error) {
      const isStuck = error instanceof BrowserProblem && error.kind === 'hung';
      if (isStuck || isDocumentGone(error) || error instanceof PageScriptError) return null;
      throw error;
    }
  }

  async #checkBytes(): Promise<void> {
    const now = performance.now();
    const { arrivals, proxy } = this.#page;
    if (now - arrivals.checkedAt < checkEveryMs && now < this.#awaitedUntil) return;
    arrivals.checkedAt = now;
    const { bytesIn } = (await proxy.record()).counts;
    if (bytesIn !== arrivals.bytesIn) arrivals.at = now;
    arrivals.bytesIn = bytesIn;
  }

  /** Why the page is waited for, and how long until the reason may be gone; null if there is none. */
  #reasonToWait(view: Look): Reason | null {
    const now = performance.now();
    const readyMs = now - (this.#readyAt ?? now);
    const pageMs = readyMs + this.#aheadMs;
    const { activity } = this.#page;
    const awaitedMs = activity.requestsInFlight
      .map((request) => this.#awaitedMs(request, view, readyMs))
      .filter((ms) => ms > 0);
    this.#awaitedUntil = now + Math.min(...awaitedMs);
    if (awaitedMs.length > 0) return { forMs: checkEveryMs };
    // Its own scripts, or a video, keep a page from loading when no request does.
    const silentMs = now - activity.movedAt;
    if (activity.document?.loaded === false && activity.inFlight === 0 && silentMs < loadAfterMs) {
      return { forMs: checkEveryMs };
    }
    if (view.filling || view.moving) this.#changedAt = pageMs;
    // Scenes in three dimensions that do not change keep a machine without a graphics card busy all the same.
    const isDrawing = view.loops && pageMs - this.#changedAt > drawingForMs;
    if (view.busy && !isDrawing && readyMs < busyWithinMs) return { forMs: 1 };
    // Scripts that check at intervals whether something is in view have not checked yet. One that adds to the page, or changes it
    // each time, goes on.
    if (view.everyMs > 0 && pageMs - this.#changedAt < view.everyMs + lookEveryMs && pageMs < motionWithinMs) {
      return { forMs: view.everyMs + lookEveryMs, hurry: true };
    }
    if (view.blank && this.#hasTimeFor('content', blankWithinMs, readyMs)) return { forMs: lookEveryMs };
    if (view.fonts && this.#hasTimeFor('fonts', readyWithinMs, readyMs)) return { forMs: lookEveryMs };
    if (view.covered && this.#mayChange(view) && this.#hasTimeFor('uncovering', readyWithinMs, readyMs)) {
      return { forMs: lookEveryMs };
    }
    if (view.refreshInMs !== null && view.refreshInMs < timers.longestMs && readyMs < readyWithinMs) {
      return { forMs: Math.min(view.refreshInMs + lookEveryMs, checkEveryMs) };
    }
    if (view.countsDown && pageMs < readyWithinMs) return { forMs: checkEveryMs, hurry: true };
    const workWithinMs = view.impression === 'finished' ? timers.soonMs : timers.withinMs;
    if (view.working && this.#hasTimeFor('work', workWithinMs, readyMs)) return { forMs: lookEveryMs };
    const isMissing = view.undrawn || view.impression === 'thin' || view.impression === 'loading';
    if (view.workerForMs > 0 && isMissing && readyMs < workersWithinMs) return { forMs: lookEveryMs };
    if (view.announced && readyMs < announcedWithinMs) return { forMs: lookEveryMs };
    if (view.videos && readyMs < videosWithinMs) return { forMs: lookEveryMs };
    return this.#timerToWaitFor(view, pageMs) ?? this.#motionToWaitFor(view, pageMs);
  }

  /** What does not come is waited for once in a document, not again by each stage of a capture. */
  #hasTimeFor(what: 'content' | 'fonts' | 'uncovering' | 'work', withinMs: number, readyMs: number): boolean {
    const { waitedFor } = this.#page;
    if (waitedFor.get(what) === this.#document) return false;
    if (readyMs < withinMs) return true;
    waitedFor.set(what, this.#document);
    return false;
  }

  /**
   * Whether nothing but timers and frames can change what the page shows. While it says that it is loading, or is covered, it may
   * be at work out of our sight.
   */
  #mayHurry(view: Look): boolean {
    const isOfInterest = (request: InFlightRequest) => relevanceOf(request, view) !== 'background';
    const { document, requestsInFlight } = this.#page.activity;
    const { busy, working, blank, fonts, videos, covered, announced } = view;
    const undrawn = view.undrawn && performance.now() - (this.#readyAt ?? 0) < undrawnForMs;
    const isAtWork = [busy, working, blank, fonts, videos, undrawn, covered, announced].some(Boolean);
    return (
      document?.loaded === true && !isAtWork && view.impression !== 'loading' && !requestsInFlight.some(isOfInterest)
    );
  }

  /** For how much longer a request is waited for if nothing arrives, milliseconds; 0 or less if it is not. */
  #awaitedMs(request: InFlightRequest, view: Look, readyMs: number): number {
    const relevance = relevanceOf(request, view);
    if (readyMs > readyWithinMs && relevance !== 'visible') return 0;
    // Images queue for connections: while others arrive, their turn has not come.
    const isOfBytes = relevance === 'visible' || (relevance !== 'background' && request.type === 'image');
    const silentMs = performance.now() - Math.max(request.sentAt, isOfBytes ? this.#page.arrivals.at : 0);
    return silenceOf(request, view) - silentMs;
  }

  /** Whether anything is going on that may finish the page. */
  #mayChange({ fonts, timers: pending, loops }: Look): boolean {
    return fonts || loops || pending.length > 0 || this.#page.activity.inFlight > 0;
  }

  #timerToWaitFor(view: Look, pageMs: number): Reason | null {
    const isWaiting = view.impression === 'loading' || view.covered;
    const [soonMs, withinMs] = isWaiting
      ? [timers.longestMs, readyWithinMs]
      : [timers.soonMs, view.hidden || this.#isFruitful ? readyWithinMs : timers.withinMs];
    if (view.moving || this.#page.activity.inFlight > 0) this.#fruitless = 0;
    this.#isFruitful ||= view.moving && this.#timerWaitedFor !== null;
    const opener = view.timers.find(({ inMs, opens }) => opens && pageMs + inMs <= readyWithinMs);
    if (opener) return { forMs: Math.min(opener.inMs + 5, checkEveryMs), hurry: true };
    const next = view.timers.find(({ inMs, depth }) => inMs <= soonMs && depth <= timers.maxDepth);
    if (this.#timerWaitedFor !== null && pageMs > this.#timerWaitedFor) {
      this.#timerWaitedFor = null;
      if (!view.moving) this.#fruitless += 1;
    }
    const isFruitless = this.#fruitless >= timers.maxFruitless && !isWaiting;
    if (!next || pageMs + next.inMs > (isFruitless ? timers.fruitlessMs : withinMs)) return null;
    this.#timerWaitedFor ??= pageMs + next.inMs;
    return { forMs: Math.max(10, Math.min(next.inMs + 5, checkEveryMs)), hurry: true };
  }

  #motionToWaitFor(view: Look, pageMs: number): Reason | null {
    if (view.advanced && pageMs < motionWithinMs) return { forMs: 1, hurry: this.#advancedLooks >= advancedOften };
    if (!view.loops) return null;
    // What moves without an end, or stays hidden, is waited for once.
    if (pageMs > motionWithinMs) {
      if (view.moving || view.hidden) this.#page.endlessWaits += 1;
      this.#page.movesWithoutEnd ||= view.moving;
      return null;
    }
    if (view.moving || this.#stillSince === null) this.#stillSince = pageMs;
    const isStill = pageMs - this.#stillSince >= stillForMs;
    return isStill && !view.hidden ? null : { forMs: pageMs < lookEveryMs ? 1 : lookEveryMs, hurry: true };
  }

  async #pause(forMs: number, until?: (activity: PageActivity) => boolean): Promise<void> {
    const { movedAt } = this.#page.activity;
    const limitMs = Math.min(forMs, Math.min(this.#end, this.#awaitedUntil) - performance.now());
    await waitUntil(
      this.#page,
      { deadline: this.#deadline, limitMs },
      until ?? ((activity) => activity.movedAt !== movedAt),
    );
  }

  #summary(view: Look | null): Settled {
    const { activity } = this.#page;
    const unfinished = view ? unfinishedIn(view, activity.requestsInFlight, this.#mayChange(view)) : [];
    const ended = (): WaitEnd => {
      if (this.#wasCutOff) return 'cut off';
      if (activity.document?.loaded !== true) return 'stalled';
      if (activity.inFlight > 0) return 'in flight';
      const isMoving = view?.loops && (view.moving || this.#page.movesWithoutEnd);
      if (unfinished.length > 0 || isMoving) return 'moving';
      return 'quiet';
    };
    return { ended: ended(), unfinished };
  }
}

function unfinishedIn(view: Look, requests: readonly InFlightRequest[], mayChange: boolean): Unfinished[] {
  const visible = requests.filter((request) => relevanceOf(request, view) === 'visible');
  const has = (...types: string[]) => visible.some(({ type }) => types.includes(type));
  const found: [Unfinished, boolean][] = [
    ['image', has('image')],
    ['font', view.fonts],
    ['frame', has('document')],
    ['style sheet', has('stylesheet')],
    ['data', has('script', 'xhr', 'fetch')],
    ['loading', view.impression === 'loading' && mayChange],
    ['announced', view.announced === 'page'],
    ['cover', view.covered && mayChange],
    ['redirect', view.refreshInMs !== null && view.refreshInMs < timers.longestMs],
  ];
  return found.flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}
