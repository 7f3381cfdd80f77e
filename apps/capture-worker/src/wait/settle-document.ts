import type { Look } from '@capture/page-scripts/world/wait/look';
import type { LookInput } from '@capture/page-scripts/world/wait/look-input';
import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { isDocumentGone, PageScriptError, runInPage } from '../page/isolated-world.ts';
import type { PageActivity } from '../page/page-activity.ts';
import type { Unfinished, WaitEnd } from '../page/wait-end.ts';
import { waitUntil } from '../page/wait-until.ts';
import { awaitedMs, isOfData, kindsInView, relevanceOf } from './expected-wait.ts';
import { checkBytes, HeldUp } from './held-up.ts';
import { lookIntoFrames } from './look-frames.ts';
import { lastingReasons, type Memory, needsNoRealTime, reasonToWait } from './reasons.ts';
import { Timers } from './timers.ts';
import { checkEveryMs, readyWithinMs, type View } from './view.ts';

/**
 * The share of the remaining time for everything before the screenshot, and its limit in milliseconds. A document that still
 * arrives has the whole share, because the image would lack its missing part.
 */
const waitingShare = 2 / 3;
const waitAtMostMs = 12_000;

/** How long a frame may take, milliseconds: usually 17, longer on busy pages. A page may also draw no frame at all. */
export const frameWithinMs = 1_000;

/**
 * Frames until a change is certainly in the image: the first has the change, and Chromium starts the next two only when the
 * earlier frames have been drawn. With fewer, a busy machine draws the first moment of an animation that was advanced to its end.
 */
export const framesToShow = 3;

/** How long scripts may keep a look from starting, milliseconds; then they count as busy. */
const idleWithinMs = 200;

/** Characters of all URLs in flight that a look searches for in the page: each look sends them to the browser. */
const maxLookedFor = 200_000;

/** For how many frames the clock of a page that waits only for its own timers and frames is hurried between two looks. */
const hurriedFrames = 3;

export interface Settled {
  ended: WaitEnd;
  unfinished: Unfinished[];
}

/**
 * Waits as a visitor would: for images and fonts in view, data and scripts that fill the page, short timers, scheduled redirects,
 * an opening screen, and motion that ends. It waits a second at most for trackers, beacons, sockets and polls. A page with none
 * of these takes one frame after its load event.
 */
export async function settleDocument(page: CapturePage, deadline: Deadline, withinMs?: number): Promise<Settled> {
  return new Wait(page, deadline, withinMs).run();
}

class Wait {
  readonly #page: CapturePage;
  readonly #deadline: Deadline;
  readonly #document: CapturePage['activity']['document'];
  readonly #heldUp: HeldUp;
  readonly #memory: Memory;
  #end: number;
  /** Until when the document may arrive. */
  readonly #parsedBy: number;
  /** When the document was parsed and first drawn. */
  #readyAt: number | null = null;
  /** How far the page's clock was ahead at that time, milliseconds. */
  #aheadAtFirstMs = 0;
  /** Whether the page's clock is hurried before the next look. */
  #hurry = false;
  /** When the view last changed, milliseconds of the page's clock since the page was ready. */
  #changedAt = 0;
  /** How many looks in a row have advanced animations. */
  #advancedLooks = 0;
  /** When the first of the relevant requests will have been silent for too long, unless a byte arrives. */
  #awaitedUntil = Number.POSITIVE_INFINITY;
  /** Whether looks also assess how finished the page looks. */
  #assess = false;

  constructor(page: CapturePage, deadline: Deadline, withinMs: number | undefined) {
    this.#page = page;
    this.#deadline = deadline;
    this.#document = page.activity.document;
    this.#heldUp = new HeldUp(page, deadline);
    this.#memory = {
      timers: new Timers(),
      stillSince: null,
      noteEndless: ({ moving, hidden }) => {
        if (moving || hidden) page.endlessWaits += 1;
        page.movesWithoutEnd ||= moving;
      },
      movesWithoutEnd: () => page.movesWithoutEnd,
    };
    const now = performance.now();
    const shareMs = deadline.remainingMs() * waitingShare;
    this.#end = now + Math.min(withinMs ?? waitAtMostMs, shareMs);
    this.#parsedBy = withinMs === undefined ? now + shareMs : this.#end;
  }

  async run(): Promise<Settled> {
    const { activity } = this.#page;
    for (;;) {
      if (!(await this.#isParsed())) return { ended: this.#endUnparsed(), unfinished: ['loading'] };
      // Silence counts from here, not from the first look.
      await checkBytes(this.#page, this.#awaitedUntil);
      // In the usual case everything arrives, and one look follows.
      if (!activity.document?.loaded) await this.#pause(checkEveryMs, ({ document }) => document?.loaded === true);
      const { inFlight, movedAt } = activity;
      const isIdle = activity.document?.loaded === true && inFlight === 0;
      const look = await this.#look();
      if (activity.document !== this.#document) return this.#settled(look);
      if (!look) {
        // Frames that are hard to draw are not hurried again.
        this.#hurry = false;
        this.#awaitedUntil = Number.POSITIVE_INFINITY;
        // Nothing is drawn before the style sheets of the head.
        if (await this.#heldUp.goesOn(this.#end)) continue;
        return { ended: this.#heldUp.wasCutOff ? 'cut off' : 'no frames', unfinished: ['loading'] };
      }
      this.#note(look);
      if (this.#mustAssess(look)) continue;
      await checkBytes(this.#page, this.#awaitedUntil);
      const view = this.#view(look);
      const reason = reasonToWait(view, this.#memory, this.#exhausted);
      // A response often leads to a request, and a frame to both: requests in flight before the look may have ended.
      if (!reason && (isIdle || activity.movedAt === movedAt)) return this.#settled(look);
      if (performance.now() >= this.#end) return this.#settled(look);
      this.#hurry = reason?.hurry === true && needsNoRealTime(view, this.#memory);
      if (reason && !this.#hurry) await this.#pause(reason.forMs);
    }
  }

  async #isParsed(): Promise<boolean> {
    if (this.#page.activity.document?.contentLoaded) return true;
    if (!(await this.#heldUp.untilParsed(this.#end, this.#parsedBy))) return false;
    // Requests that a slow document sends at its end may be in view, too.
    this.#end = Math.max(this.#end, Math.min(performance.now() + readyWithinMs, this.#parsedBy));
    return true;
  }

  /** Returns why the wait ended for a document that is not parsed. */
  #endUnparsed(): WaitEnd {
    if (this.#heldUp.wasCutOff) return 'cut off';
    return this.#heldUp.hasResponse ? 'stalled' : 'no frames';
  }

  /** The reasons that lasted too long in this document. */
  get #exhausted(): Set<string> {
    const { exhausted } = this.#page;
    if (exhausted.document !== this.#document)
      Object.assign(exhausted, { document: this.#document, reasons: new Set() });
    return exhausted.reasons;
  }

  /** Looks at the page; null if the page draws no frame in time or navigates. */
  async #look(): Promise<Look | null> {
    const input: LookInput = {
      workEvent: this.#page.workEvent,
      urls: this.#urlsToFind(),
      refreshHeader: this.#page.activity.mainResponse?.headers().refresh ?? null,
      assess: this.#assess,
      idleWithinMs,
      afterFrames: this.#advancedLooks > 0 ? framesToShow : 1,
      hurriedFrames: this.#hurry ? hurriedFrames : 0,
      endlessWaits: this.#page.endlessWaits,
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

  /** Lists URLs of images in flight, up to a limit of their characters. */
  #urlsToFind(): string[] {
    let left = maxLookedFor;
    return this.#page.activity.requestsInFlight
      .filter(({ type }) => type === 'image' || type === 'other')
      .flatMap(({ url, from }) => (from === url ? [url] : [from, url]))
      .filter((url) => {
        if (url.length > left) return false;
        left -= url.length;
        return true;
      });
  }

  #note(look: Look): void {
    if (this.#readyAt === null) this.#aheadAtFirstMs = look.aheadMs;
    this.#readyAt ??= performance.now();
    this.#advancedLooks = look.advanced ? this.#advancedLooks + 1 : 0;
  }

  /** Whether to assess the page: the time to wait for a timer, work or data depends on how the page looks without it. */
  #mustAssess(look: Look): boolean {
    if (look.impression !== null) return false;
    const mayMatter = look.working || look.timers.length > 0 || look.workerForMs > 0;
    this.#assess = mayMatter || this.#page.activity.requestsInFlight.some((each) => isOfData(each, look));
    return this.#assess;
  }

  #view(look: Look): View {
    const { activity, arrivals } = this.#page;
    const now = performance.now();
    const readyMs = now - (this.#readyAt ?? now);
    const pageMs = readyMs + look.aheadMs - this.#aheadAtFirstMs;
    if (look.filling || look.moving) this.#changedAt = pageMs;
    const requests = activity.requestsInFlight;
    const awaited = requests.map((each) => awaitedMs(each, look, { readyMs, arrivedAt: arrivals.at }));
    const waits = awaited.filter((ms) => ms > 0);
    this.#awaitedUntil = now + Math.min(...waits);
    return {
      ...look,
      readyMs,
      pageMs,
      unchangedMs: pageMs - this.#changedAt,
      advancedLooks: this.#advancedLooks,
      loaded: activity.document?.loaded === true,
      inFlight: activity.inFlight,
      relevant: requests.filter((each) => relevanceOf(each, look) !== 'background').length,
      awaited: waits.length,
      silentMs: now - activity.movedAt,
    };
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

  /** Returns why the wait ended, and which parts of the page are missing. */
  #settled(look: Look | null): Settled {
    const { activity } = this.#page;
    const { wasCutOff } = this.#heldUp;
    if (!look) {
      const isLoaded = activity.document?.loaded === true;
      const ended = !isLoaded ? 'stalled' : activity.inFlight > 0 ? 'in flight' : 'quiet';
      return { ended: wasCutOff ? 'cut off' : ended, unfinished: [] };
    }
    const lasting = lastingReasons(this.#view(look), this.#memory);
    const gaps = lasting.filter(({ isGap }) => isGap).map(({ name }) => name);
    return {
      ended: wasCutOff ? 'cut off' : (lasting[0]?.name ?? 'quiet'),
      unfinished: [...kindsInView(activity.requestsInFlight, look), ...gaps],
    };
  }
}
