import { withTimeout } from '@capture/runtime/timeout';
import type { CDPSession, Protocol } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort } from '../page/isolated-world.ts';
import { bannerScript } from './banners/banner-script.ts';
import { consentWorld } from './consent-frame.ts';
import { bannerNamesOf, type ConsentScript } from './consent-script.ts';
import type { FrameSessions } from './frame-sessions.ts';

/** A page of 10,000 elements takes 20 ms; a busy frame does not delay the others. */
const hideWithinMs = 1_000;

/** Only pages full of ads have more frames. */
const maxFrames = 20;

/** Maximum number of hidden elements in a receipt. */
const maxNames = 10;

/** A page that opens its banner again each time it is hidden is not followed forever. */
const maxReports = 50;

/** A frame in which the script runs. */
interface BannerFrame {
  id: string;
  parentId: string | undefined;
  session: CDPSession;
  contextId: number;
}

/** Hides the cookie banners of a page and its frames, by their looks and words, and those that come later. */
export class BannerHiding {
  /** Describes what was hidden. */
  readonly names: string[] = [];
  readonly #page: CapturePage;
  readonly #sessions: FrameSessions;
  readonly #watched = new Set<string>();

  constructor(page: CapturePage, sessions: FrameSessions) {
    this.#page = page;
    this.#sessions = sessions;
  }

  /**
   * Hides the banners that are visible, and from now on those that appear.
   *
   * @param stopClicks ends what a rule that was not finished in time still clicks.
   * @returns whether something was hidden.
   * @throws what `CapturePage.step` throws, unless the step hung.
   */
  async hide(script: ConsentScript, stopClicks: boolean, deadline: Deadline): Promise<boolean> {
    const before = this.names.length;
    const hiding = this.#hideAll(script, stopClicks);
    await bestEffort(this.#page.step('hiding cookie banners', hideWithinMs * 2, deadline, hiding));
    return this.names.length > before;
  }

  async #hideAll(script: ConsentScript, stopClicks: boolean): Promise<void> {
    const trees = await Promise.all(this.#sessions.all.map(framesOf));
    const all = trees.flat().slice(0, maxFrames);
    const source = bannerScript(bannerNamesOf(script));
    const hide = async (frame: Omit<BannerFrame, 'contextId'>): Promise<BannerFrame | null> => {
      const contextId = await consentWorld(frame.session, frame.id);
      const inFrame = { ...frame, contextId };
      await evaluate(inFrame, `${source} null`);
      if (stopClicks) await evaluate(inFrame, 'captureBanners.stopClicks()');
      this.#note(await evaluate(inFrame, 'captureBanners.hide()'));
      this.#follow(inFrame);
      return inFrame;
    };
    const hiding = all.map((frame) =>
      withTimeout(
        hideWithinMs,
        hide(frame).catch(() => null),
        () => null,
      ),
    );
    const frames = (await Promise.all(hiding)).filter((frame) => frame !== null);
    await Promise.all(frames.map((frame) => this.#hideFrame(frame, frames).catch(() => undefined)));
  }

  /** Hides a frame whose document is a banner: its own document cannot remove its box from the page. */
  async #hideFrame(frame: BannerFrame, frames: BannerFrame[]): Promise<void> {
    const parent = frames.find(({ id }) => id === frame.parentId);
    if (!parent || (await evaluate(frame, 'captureBanners.isBanner()')) !== true) return;
    const { backendNodeId } = await parent.session.send('DOM.getFrameOwner', { frameId: frame.id });
    const { object } = await parent.session.send('DOM.resolveNode', {
      backendNodeId,
      executionContextId: parent.contextId,
    });
    if (object.objectId === undefined) return;
    const { result } = await parent.session.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function () { return captureBanners.hideFrame(this) }',
      objectId: object.objectId,
      returnByValue: true,
    });
    this.#note(result.value);
  }

  /** Receives what is hidden later. */
  #follow(frame: BannerFrame): void {
    const key = `${frame.id} ${frame.contextId}`;
    if (this.#watched.has(key)) return;
    this.#watched.add(key);
    const follow = async () => {
      for (let reports = 0; reports < maxReports; reports += 1) {
        this.#note(await evaluate(frame, 'captureBanners.next()'));
      }
    };
    // Until the document is gone.
    follow().catch(() => undefined);
  }

  /** Names come from the page's world, but the page chose them. */
  #note(names: unknown): void {
    if (!Array.isArray(names)) return;
    for (const name of names) {
      const isPlain = typeof name === 'string' && /^[\w#.-]{1,80}$/.test(name);
      if (isPlain && this.names.length < maxNames && !this.names.includes(name)) this.names.push(name);
    }
  }
}

async function framesOf(session: CDPSession): Promise<Omit<BannerFrame, 'contextId'>[]> {
  const list = ({ frame, childFrames = [] }: Protocol.Page.FrameTree): Omit<BannerFrame, 'contextId'>[] => [
    { id: frame.id, parentId: frame.parentId, session },
    ...childFrames.flatMap(list),
  ];
  const reading = session.send('Page.getFrameTree').then(({ frameTree }) => list(frameTree));
  return withTimeout(
    hideWithinMs,
    reading.catch(() => []),
    () => [],
  );
}

async function evaluate(
  { session, contextId }: Pick<BannerFrame, 'session' | 'contextId'>,
  expression: string,
): Promise<unknown> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId,
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) {
    throw new Error(`hiding banners failed: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
  }
  return result.value;
}
