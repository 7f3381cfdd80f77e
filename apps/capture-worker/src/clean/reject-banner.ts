import { withTimeout } from '@capture/runtime/timeout';
import type { Protocol } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, isDocumentGone, runInPage } from '../page/isolated-world.ts';
import { type ConsentFrame, type FrameProgress, noProgress, runConsentScript } from './consent-frame.ts';
import { type ConsentScript, consentScript } from './consent-script.ts';
import type { FrameSessions } from './frame-sessions.ts';

/** Together with hiding, 3 s; at most half of the capture's remaining time. */
const searchWithinMs = 2_500;

/** A banner that a rule recognized appears within this time or not at all. */
const popupWithinMs = 1_000;

/** Where nothing can be clicked, a rule may still reject through the platform's functions, or has none. */
const acceptOnlyWithinMs = 1_000;

/** Banners fade out within 250 ms, slow ones within 500 ms. */
const fadeWithinMs = 600;

/** An idle page responds within 2 ms. */
const wakeWithinMs = 500;

/** Only pages full of ads have more frames. */
const maxFrames = 20;

export interface BannerReport {
  /** The rule library and its version. */
  rules: string;
  /** The rule that recognized a banner, or the consent platform. */
  cmp: string | null;
  /**
   * `none`: no banner; `opted_out`: consent was rejected; `hidden`: a rule has hidden the banner; `failed`: it is still
   * visible; `unfinished`: the time limit was reached.
   */
  result: 'none' | 'opted_out' | 'hidden' | 'failed' | 'unfinished';
  elapsed_ms: number;
}

/**
 * Looks for a cookie banner in the page and its frames and rejects consent.
 *
 * @throws what `CapturePage.step` throws, unless the step hung.
 */
export async function rejectBanner(
  page: CapturePage,
  sessions: FrameSessions,
  deadline: Deadline,
): Promise<BannerReport> {
  const started = performance.now();
  const script = await consentScript();
  const limitMs = Math.min(searchWithinMs, deadline.remainingMs() / 2);
  const search = new BannerSearch(page, script);
  const searching = search.run(sessions);
  const searched = page.step('looking for a cookie banner', limitMs + popupWithinMs, deadline, searching);
  await bestEffort(withTimeout(limitMs, searched, () => undefined));
  search.stop();
  if (!search.isConcluded) await wakeUp(page, sessions);

  const { cmp, result } = search.summary();
  if (result === 'opted_out') {
    const step = { what: 'waiting for a cookie banner to close', limitMs: fadeWithinMs * 2, deadline };
    await bestEffort(runInPage(page, 'waitForAnimations', fadeWithinMs, step));
  }
  const elapsed_ms = Math.round(performance.now() - started);
  return { rules: script.name, cmp, result, elapsed_ms };
}

/** Runs the consent script in all frames of a page. */
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

  /** Resolves when a banner was handled, or there is none. */
  async run(sessions: FrameSessions): Promise<void> {
    const { mainFrameId } = this.#page.activity;
    await sessions.each(async (session) => {
      const start = (frame: Protocol.Page.Frame, ownsSession: boolean) => {
        const isPage = frame.id === mainFrameId;
        this.#start({ session, frameId: frame.id, url: frame.url, isPage, ownsSession });
      };
      // Some banners open a frame when they are clicked.
      session.on('Page.frameNavigated', ({ frame }) => frame.parentId !== undefined && start(frame, false));
      await session.send('Page.enable');
      const { frameTree } = await session.send('Page.getFrameTree');
      for (const frame of framesOf(frameTree)) start(frame, frame === frameTree.frame);
    });
    const started = performance.now();
    let popupSince = started;
    while (!this.#stopped) {
      const frames = [...this.#frames.values()];
      if (this.isConcluded) return;
      if (frames.some(({ isAcceptOnly }) => isAcceptOnly) && performance.now() - started > acceptOnlyWithinMs) return;
      const mayAppear = frames.some(({ popup, cmp, ended }) => popup !== null || (cmp === null && !ended));
      if (mayAppear) popupSince = performance.now();
      if (performance.now() - popupSince > popupWithinMs) return;
      await withTimeout(100, this.#changed(), () => undefined);
    }
  }

  /** Whether no further result is expected. */
  get isConcluded(): boolean {
    const frames = [...this.#frames.values()];
    // A banner that was clicked without an outcome so far continues in another frame.
    return (
      frames.some(({ outcome }) => outcome !== null) || frames.every(({ ended, popup }) => ended && popup === null)
    );
  }

  stop(): void {
    this.#stopped = true;
  }

  summary(): Pick<BannerReport, 'cmp' | 'result'> {
    const frames = [...this.#frames.values()];
    const handled =
      frames.find(({ outcome }) => outcome !== null && outcome !== 'failed') ?? frames.find(({ outcome }) => outcome);
    if (handled?.outcome) return { cmp: handled.cmp ?? handled.popup, result: handled.outcome };
    const visible = frames.find(({ popup }) => popup !== null);
    if (visible) return { cmp: visible.popup, result: visible.ended ? 'failed' : 'unfinished' };
    const cmp = frames.find((each) => each.cmp !== null)?.cmp ?? null;
    return { cmp, result: cmp !== null || frames.every(({ ended }) => ended) ? 'none' : 'unfinished' };
  }

  #start(frame: ConsentFrame): void {
    if (this.#stopped || this.#frames.has(frame.frameId) || this.#frames.size >= maxFrames) return;
    const set = (progress: FrameProgress) => {
      this.#frames.set(frame.frameId, progress);
      this.#change();
    };
    set(noProgress);
    const end = (changes?: Partial<FrameProgress>) => {
      const progress = this.#frames.get(frame.frameId);
      if (progress) set({ ...progress, ...changes, ended: true });
    };
    runConsentScript(frame, this.#script, set).then(
      () => end(),
      (error) => {
        // A frame that is removed while its banner is handled removes the banner.
        const isHandled = isDocumentGone(error) && this.#frames.get(frame.frameId)?.popup;
        end(isHandled ? { outcome: 'opted_out' } : {});
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

/** Terminates the page's script if the page no longer responds after a click, so that it can be captured. */
async function wakeUp({ session }: CapturePage, sessions: FrameSessions): Promise<void> {
  const evaluated = session.send('Runtime.evaluate', { expression: '0' }).then(
    () => true,
    () => false,
  );
  const isAwake = () => withTimeout(wakeWithinMs, evaluated, () => false);
  if (await isAwake()) return;
  sessions.all[0]?.send('Runtime.terminateExecution').catch(() => undefined);
  // Messages that the page sent before arrive before this response.
  await isAwake();
}
