import { withTimeout } from '@capture/runtime/timeout';
import type { CDPSession, Protocol } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort } from '../page/isolated-world.ts';
import type { ScriptWorld } from '../page/script-world.ts';
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

/** A frame whose banners are hidden. */
interface BannerFrame {
  id: string;
  parentId: string | undefined;
  session: CDPSession;
  world: ScriptWorld;
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
   * @param stopsClicks ends what a rule that was not finished in time still clicks.
   * @returns whether something was hidden.
   * @throws what `CapturePage.step` throws, unless the step hung.
   */
  async hide(script: ConsentScript, stopsClicks: boolean, deadline: Deadline): Promise<boolean> {
    const before = this.names.length;
    const hiding = this.#hideAll(script, stopsClicks);
    await bestEffort(this.#page.step('hiding cookie banners', hideWithinMs * 2, deadline, hiding));
    return this.names.length > before;
  }

  async #hideAll(script: ConsentScript, stopsClicks: boolean): Promise<void> {
    const trees = await Promise.all(this.#sessions.all.map(framesOf));
    const all = trees.flat().slice(0, maxFrames);
    const known = bannerNamesOf(script);
    const hide = async (frame: Omit<BannerFrame, 'world'>): Promise<BannerFrame | null> => {
      const inFrame = { ...frame, world: consentWorld(frame.session, frame.id) };
      this.#note(await inFrame.world.call('hideBanners', { known, stopsClicks }));
      await this.#follow(inFrame);
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
    if (!parent || (await frame.world.call('isConsentDocument', null)) !== true) return;
    const { backendNodeId } = await parent.session.send('DOM.getFrameOwner', { frameId: frame.id });
    const { object } = await parent.session.send('DOM.resolveNode', {
      backendNodeId,
      executionContextId: await parent.world.contextId,
    });
    if (object.objectId !== undefined) this.#note(await parent.world.callOn('hideBannerFrame', object.objectId));
  }

  /** Receives what is hidden later. */
  async #follow({ id, world }: BannerFrame): Promise<void> {
    const key = `${id} ${await world.contextId}`;
    if (this.#watched.has(key)) return;
    this.#watched.add(key);
    const follow = async () => {
      for (let reports = 0; reports < maxReports; reports += 1) {
        this.#note(await world.call('nextHiddenBanners', null));
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

async function framesOf(session: CDPSession): Promise<Omit<BannerFrame, 'world'>[]> {
  const list = ({ frame, childFrames = [] }: Protocol.Page.FrameTree): Omit<BannerFrame, 'world'>[] => [
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
