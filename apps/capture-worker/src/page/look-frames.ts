import type { CDPSession, Frame } from 'puppeteer';
import { TimeLimitError, withTimeLimit } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import { worldName } from './isolated-world.ts';
import { type Look, type LookInput, look } from './look-script.ts';

/** Frames of other origins that are looked into: those of this area, square CSS pixels, among the first
 * ones. An ad has 300 × 250. */
const looked = { area: 90_000, frames: 10 };

/** How long a frame may take, milliseconds. One that takes longer is not looked into again. */
const lookWithinMs = 500;

/** Frames that could not be looked into. */
const silent = new WeakSet<Frame>();

/** Looks into the large frames of other origins that are in view: a script in the page cannot read them. */
export async function lookIntoFrames(page: CapturePage, view: Look, input: LookInput): Promise<Look> {
  const own = originOf(page.activity.document?.url ?? '');
  const isForeign = (frame: Frame) => {
    const origin = originOf(frame.url());
    return own === null || (origin !== null && origin !== own);
  };
  const foreign = page.page.frames().filter((frame) => frame.parentFrame() && isForeign(frame) && !silent.has(frame));
  if (foreign.length === 0) return view;
  const looks = foreign.slice(0, looked.frames).map(async (frame) => {
    try {
      if (!(await isLargeInView(page, frame, view.viewport))) return null;
      return await withTimeLimit('looking into a frame', lookWithinMs, lookInto(frame, input));
    } catch (error) {
      // Otherwise it is gone, or in a frame that has its own process.
      if (error instanceof TimeLimitError) silent.add(frame);
      return null;
    }
  });
  return combine(
    view,
    (await Promise.all(looks)).filter((look) => look !== null),
  );
}

/** What a visitor would still wait for on the page and in its frames. */
function combine(page: Look, frames: readonly Look[]): Look {
  const all = [page, ...frames];
  const some = (name: 'loops' | 'moving' | 'filling' | 'advanced' | 'hidden' | 'fonts') =>
    all.some((view) => view[name]);
  return {
    ...page,
    timers: all.flatMap(({ timers }) => timers).sort((one, other) => one.inMs - other.inMs),
    everyMs: Math.max(...all.map(({ everyMs }) => everyMs)),
    images: all.flatMap(({ images }) => images),
    loops: some('loops'),
    moving: some('moving'),
    filling: some('filling'),
    advanced: some('advanced'),
    hidden: some('hidden'),
    fonts: some('fonts'),
    announced: page.announced ?? (all.some(({ announced }) => announced) ? 'part' : null),
  };
}

async function isLargeInView(
  { session }: CapturePage,
  frame: Frame,
  { width, height }: Look['viewport'],
): Promise<boolean> {
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: parts(frame)._id });
  const { model } = await session.send('DOM.getBoxModel', { backendNodeId });
  const [left = 0, top = 0, , , right = 0, bottom = 0] = model.content;
  const isInView = right > 0 && left < width && bottom > 0 && top < height;
  return isInView && (right - left) * (bottom - top) >= looked.area;
}

async function lookInto(frame: Frame, input: LookInput): Promise<Look | null> {
  const { client, _id: frameId } = parts(frame);
  const { executionContextId: contextId } = await client.send('Page.createIsolatedWorld', { frameId, worldName });
  const expression = `(${look})(${JSON.stringify({ ...input, urls: [], refreshHeader: null })})`;
  const { result } = await client.send('Runtime.evaluate', {
    contextId,
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  return (result.value as Look | undefined) ?? null;
}

/** The origin of a URL; null if it is opaque, or inherited as that of `about:srcdoc`. */
function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin ?? 'null';
  return origin === 'null' ? null : origin;
}

/** Puppeteer's own session with a frame, and Chromium's id of it. They are not in Puppeteer's types. */
function parts(frame: Frame): { client: CDPSession; _id: string } {
  return frame as unknown as { client: CDPSession; _id: string };
}
