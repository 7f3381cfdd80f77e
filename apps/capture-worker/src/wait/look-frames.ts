import type { Look } from '@capture/page-scripts/world/wait/look';
import type { LookInput } from '@capture/page-scripts/world/wait/look-input';
import type { CDPSession, Frame, Protocol } from 'puppeteer';
import { TimeLimitError, withTimeLimit } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { isDocumentGone } from '../page/isolated-world.ts';
import { ScriptWorld } from '../page/script-world.ts';

/** The `frames` first frames in view of at least this area, square CSS pixels, of `found` frames. An ad has 300 × 250. */
const looked = { area: 90_000, frames: 10, found: 100 };

/** How long finding all frames may take, and looking into each, milliseconds. */
const findWithinMs = 300;
const lookWithinMs = 500;

/** How long a frame below this share of the viewport may move, milliseconds: embedded charts take 1,000. */
const minor = { share: 0.3, withinMs: 1_500 };

/** Frames that a look could not reach in time. */
const silent = new WeakSet<Frame>();

/**
 * Looks into the large frames in view whose documents a script in the page cannot read.
 *
 * @param readyMs how long the page has been ready, milliseconds.
 */
export async function lookIntoFrames(page: CapturePage, view: Look, input: LookInput, readyMs: number): Promise<Look> {
  const inner = page.page.frames().filter((frame) => frame.parentFrame() && !silent.has(frame));
  if (inner.length === 0) return view;
  const isReadable = await readableFrames(page);
  const large = await largeInView(page, inner.slice(0, looked.found), view.viewport, isReadable);
  const leastArea = view.viewport.width * view.viewport.height * minor.share;
  const looks = large.slice(0, looked.frames).map(async ({ frame, area }) => {
    try {
      // A hurried frame draws before the look.
      const limitMs = input.hurriedFrames > 0 ? lookWithinMs * 2 : lookWithinMs;
      const seen = await withTimeLimit('looking into a frame', limitMs, lookInto(frame, input));
      return area < leastArea && readyMs > minor.withinMs ? withoutMotion(seen) : seen;
    } catch (error) {
      // Any other error means that the frame is removed.
      if (error instanceof TimeLimitError) silent.add(frame);
      return null;
    }
  });
  return combine(
    view,
    (await Promise.all(looks)).filter((look) => look !== null),
  );
}

/**
 * Decides which frames a script in the page reads: frames of its origin, up to the page. A sandboxed frame has the URL of the
 * page, but not its origin; a frame of `about:srcdoc` has the origin, but not the URL.
 */
async function readableFrames({ session }: CapturePage): Promise<(frame: Frame) => boolean> {
  const origins = new Map<string, string>();
  const note = ({ frame, childFrames = [] }: Protocol.Page.FrameTree) => {
    origins.set(frame.id, frame.securityOrigin);
    childFrames.forEach(note);
  };
  try {
    const reading = session.send('Page.getFrameTree');
    note((await withTimeLimit('reading the frames', findWithinMs, reading)).frameTree);
  } catch {
    // The page's scripts keep the browser busy: the next look asks again.
    return () => true;
  }
  const isReadable = (frame: Frame): boolean => {
    const parent = frame.parentFrame();
    if (!parent) return true;
    const [own, outer] = [frame, parent].map((each) => origins.get(partsOf(each)._id));
    return own !== undefined && own === outer && own !== 'null' && own !== '://' && isReadable(parent);
  };
  return isReadable;
}

/** Lists the unreadable frames that a visitor sees; none if the page's scripts keep the browser from reporting positions. */
async function largeInView(
  page: CapturePage,
  frames: readonly Frame[],
  viewport: Look['viewport'],
  isReadable: (frame: Frame) => boolean,
): Promise<{ frame: Frame; area: number }[]> {
  const finding = Promise.all(
    frames.map(async (frame) => {
      const isForeign = !isReadable(frame) || (await isSandboxed(page, frame));
      return { frame, area: isForeign ? await areaInView(page, frame, viewport) : 0 };
    }),
  );
  return withTimeLimit('finding frames', findWithinMs, finding).then(
    (found) => found.filter(({ area }) => area >= looked.area),
    () => [],
  );
}

/** The facts that a frame does not pass on to its page; other facts of a frame count for the page too. */
const ofPageAlone: ReadonlySet<keyof Look> = new Set([
  ...(['busy', 'blank', 'covered', 'countsDown', 'videos', 'optionalFonts'] as const),
]);

/** Combines the facts of the page and its frames. */
function combine(page: Look, frames: readonly Look[]): Look {
  const all = [page, ...frames];
  const flags = (Object.keys(page) as (keyof Look)[])
    .filter((name) => typeof page[name] === 'boolean' && !ofPageAlone.has(name))
    .map((name) => [name, all.some((view) => view[name])]);
  // Frames whose clocks cannot be hurried need the real time.
  const moving = frames.filter(({ loops, timers }) => loops || timers.length > 0);
  return {
    ...page,
    ...Object.fromEntries(flags),
    aheadMs: Math.min(page.aheadMs, ...moving.map(({ aheadMs }) => aheadMs)),
    timers: all.flatMap(({ timers }) => timers).sort((one, other) => one.inMs - other.inMs),
    everyMs: Math.max(...all.map(({ everyMs }) => everyMs)),
    images: all.flatMap(({ images }) => images),
    announced: page.announced ?? (all.some(({ announced }) => announced) ? 'part' : null),
  };
}

/** Whether a frame's element sandboxes the frame into an opaque origin: Chromium still reports the origin of its URL. */
async function isSandboxed({ session }: CapturePage, frame: Frame): Promise<boolean> {
  try {
    const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: partsOf(frame)._id });
    const { node } = await session.send('DOM.describeNode', { backendNodeId });
    const { attributes = [] } = node;
    const at = attributes.findIndex((name, index) => index % 2 === 0 && name === 'sandbox');
    return at !== -1 && !/\ballow-same-origin\b/i.test(attributes[at + 1] ?? '');
  } catch {
    return false;
  }
}

/** Drops the motion from the facts of a frame that moves for long. */
function withoutMotion(view: Look): Look {
  const motion = { working: false, moving: false, filling: false, advanced: false, hidden: false, undrawn: false };
  return { ...view, timers: [], loops: false, everyMs: 0, ...motion };
}

/** Area of a frame in view, square CSS pixels; 0 if it is removed, not drawn, or inside a frame with its own process. */
async function areaInView(
  { session }: CapturePage,
  frame: Frame,
  { width, height }: Look['viewport'],
): Promise<number> {
  try {
    const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: partsOf(frame)._id });
    const { model } = await session.send('DOM.getBoxModel', { backendNodeId });
    // The corners are in the frame's own order: a mirrored frame begins at the right.
    const [across, down] = [0, 1].map((axis) => model.content.filter((_, index) => index % 2 === axis));
    const [left, right] = [Math.min(...across!), Math.max(...across!)];
    const [top, bottom] = [Math.min(...down!), Math.max(...down!)];
    const isInView = right > 0 && left < width && bottom > 0 && top < height;
    return isInView ? (right - left) * (bottom - top) : 0;
  } catch {
    return 0;
  }
}

/** Our world in the document of each frame that was looked into. */
const worlds = new WeakMap<Frame, ScriptWorld>();

async function lookInto(frame: Frame, input: LookInput): Promise<Look> {
  const ofFrame = { ...input, urls: [], refreshHeader: null };
  const known = worlds.get(frame);
  try {
    if (known) return await known.call('look', ofFrame);
  } catch (error) {
    // The frame shows another document now.
    if (!isDocumentGone(error)) throw error;
  }
  const { client, _id: frameId } = partsOf(frame);
  const world = new ScriptWorld(client, frameId);
  worlds.set(frame, world);
  return world.call('look', ofFrame);
}

/** Returns Puppeteer's session with a frame, and Chromium's id of the frame. They are not in Puppeteer's types. */
export function partsOf(frame: Frame): { client: CDPSession; _id: string } {
  return frame as unknown as { client: CDPSession; _id: string };
}
