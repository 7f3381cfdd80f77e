import { withTimeout } from '@capture/runtime/timeout';
import type { Protocol } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, isDocumentGone, runInPage } from '../page/isolated-world.ts';
import { untilStill } from './clean-scripts.ts';
import { type ConsentFrame, type FrameProgress, runConsentScript } from './consent-frame.ts';
import { type ConsentScript, consentScript } from './consent-script.ts';
import type { FrameSessions } from './frame-sessions.ts';
import { hideBanner } from './hide-elements.ts';

/** In all; of the capture's own time that is left it gets no more than half. */
const answerWithinMs = 3_000;

/** A banner whose rule is recognised is on the screen within this, or has no reason to come. */
const popupWithinMs = 1_000;

/** Banners fade within a quarter of a second, slow ones in half of one. */
const fadeWithinMs = 600;

/** A page with nothing to do answers in a millisecond or two. */
const wakeWithinMs = 500;

/** More have been seen on pages full of advertisements only. */
const framesAtMost = 20;

export interface BannerReport {
  /** The rules that were used: library and version. */
  rules: string;
  /** The rule that recognised a banner, or what makes them. */
  cmp: string | null;
  /**
   * `none`: there was no banner; `opted_out`: it was refused; `hidden`: it was put out of sight; `failed`: it is still
   * there; `unfinished`: the time was over.
   */
  result: 'none' | 'opted_out' | 'hidden' | 'failed' | 'unfinished';
  elapsed_ms: number;
}

/**
 * Looks for a cookie banner in the page and its frames, and refuses what it asks; one that cannot be refused is hidden.
 *
 * @throws what `CapturePage.step` throws, but that it hung.
 */
export async function rejectBanner(
  page: CapturePage,
  sessions: FrameSessions,
  deadline: Deadline,
): Promise<BannerReport> {
  const started = performance.now();
  const script = await consentScript();
  const limitMs = Math.min(answerWithinMs, deadline.remainingMs() / 2);
  const search = new BannerSearch(page, script);
  const searching = search.run(sessions);
  const searched = page.step('looking for a cookie banner', limitMs + popupWithinMs, deadline, searching);
  await bestEffort(withTimeout(limitMs, searched, () => undefined));
  search.stop();
  if (!search.isConcluded) await wakeUp(page, sessions);

  const { cmp, result } = search.summary();
  if (result === 'opted_out') {
    const step = { what: 'the end of a cookie banner', limitMs: fadeWithinMs * 2, deadline };
    await bestEffort(runInPage(page, untilStill, fadeWithinMs, step));
  }
  const isLeft = cmp !== null && (result === 'unfinished' || result === 'failed');
  const isHidden = isLeft && (await hideBanner(page, script, cmp, deadline));
  const elapsed_ms = Math.round(performance.now() - started);
  return { rules: script.name, cmp, result: isHidden ? 'hidden' : result, elapsed_ms };
}

/** The consent script in all frames of a page. */
class BannerSearch {
  readonly #page: CapturePage;
  readonly #script: ConsentScript;
  readonly #frames = new Map<string, FrameProgress>();
  #change: () => void = () => undefined;
  #stopped = false;

  constructor(page: CapturePage, script: ConsentScript) {
    this.#page = page;
    this.#script = script;
  }

  /** Resolves when a banner was answered, or there is none. */
  async run(sessions: FrameSessions): Promise<void> {
    const { mainFrameId } = this.#page.activity;
    await sessions.each(async (session) => {
      const start = (frame: Protocol.Page.Frame, ownsSession: boolean) => {
        const isPage = frame.id === mainFrameId;
        this.#start({ session, frameId: frame.id, url: frame.url, isPage, ownsSession });
      };
      // Some banners bring a frame when they are clicked.
      session.on('Page.frameNavigated', ({ frame }) => frame.parentId !== undefined && start(frame, false));
      await session.send('Page.enable');
      const { frameTree } = await session.send('Page.getFrameTree');
      for (const frame of framesOf(frameTree)) start(frame, frame === frameTree.frame);
    });
    let popupSince = performance.now();
    while (!this.#stopped) {
      const frames = [...this.#frames.values()];
      if (this.isConcluded) return;
      const isAwaited = frames.some(({ popup, cmp, ended }) => popup !== null || (cmp === null && !ended));
      if (isAwaited) popupSince = performance.now();
      if (performance.now() - popupSince > popupWithinMs) return;
      await withTimeout(100, this.#changed(), () => undefined);
    }
  }

  /** Whether nothing more is to come of it. */
  get isConcluded(): boolean {
    const frames = [...this.#frames.values()];
    // One that was seen and clicked on, and nothing came of it yet, goes on in another frame.
    return (
      frames.some(({ outcome }) => outcome !== null) || frames.every(({ ended, popup }) => ended && popup === null)
    );
  }

  stop(): void {
    this.#stopped = true;
  }

  summary(): Pick<BannerReport, 'cmp' | 'result'> {
    const frames = [...this.#frames.values()];
    const answered =
      frames.find(({ outcome }) => outcome !== null && outcome !== 'failed') ?? frames.find(({ outcome }) => outcome);
    if (answered?.outcome) return { cmp: answered.cmp ?? answered.popup, result: answered.outcome };
    const seen = frames.find(({ popup }) => popup !== null);
    if (seen) return { cmp: seen.popup, result: seen.ended ? 'failed' : 'unfinished' };
    const cmp = frames.find((each) => each.cmp !== null)?.cmp ?? null;
    return { cmp, result: cmp !== null || frames.every(({ ended }) => ended) ? 'none' : 'unfinished' };
  }

  #start(frame: ConsentFrame): void {
    if (this.#stopped || this.#frames.has(frame.frameId) || this.#frames.size >= framesAtMost) return;
    const set = (progress: FrameProgress) => {
      this.#frames.set(frame.frameId, progress);
      this.#change();
    };
    set({ cmp: null, popup: null, outcome: null, ended: false });
    const end = (changes?: Partial<FrameProgress>) => {
      const before = this.#frames.get(frame.frameId);
      if (before) set({ ...before, ...changes, ended: true });
    };
    runConsentScript(frame, this.#script, set).then(
      () => end(),
      (error) => {
        // A frame that goes away while its banner is answered takes the banner with it.
        const isAnswered = isDocumentGone(error) && this.#frames.get(frame.frameId)?.popup;
        end(isAnswered ? { outcome: 'opted_out' } : {});
      },
    );
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#change = resolve;
    });
  }
}

function framesOf({ frame, childFrames = [] }: Protocol.Page.FrameTree): Protocol.Page.Frame[] {
  return [frame, ...childFrames.flatMap(framesOf)];
}

/** A page that answers nobody since it was clicked on is stopped in what it does: there is a picture to be taken of it. */
async function wakeUp({ session }: CapturePage, sessions: FrameSessions): Promise<void> {
  const evaluated = session.send('Runtime.evaluate', { expression: '0' }).then(
    () => true,
    () => false,
  );
  const isAwake = () => withTimeout(wakeWithinMs, evaluated, () => false);
  if (await isAwake()) return;
  sessions.all[0]?.send('Runtime.terminateExecution').catch(() => undefined);
  // What it had to say before comes before this answer.
  await isAwake();
}
