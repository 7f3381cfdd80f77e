import { isNear, sample } from '../../dom/canvas-sample.ts';
import { nextFrame } from '../../dom/next-frame.ts';
import { hurry } from '../../dom/page-work.ts';
import { scrollingElement } from '../../scroll/scroll.ts';
import { state } from '../../state/page-state.ts';
import type { WatchedCanvas } from '../../state/scenes.ts';

/** Frames after which a script has drawn the state of a scroll position, even if it follows with a delay of half a second. */
const frames = { toFollow: 6, atMost: 20 };

/** The total time for looking at canvases that differ from their look at the top, milliseconds. */
const withinMs = 1_500;

/** How long the clock of the page is hurried for a canvas, milliseconds. */
const hurryMs = 500;

/**
 * Records which texts and canvases follow the scroll position: at the top again, they look as before. Runs in the visitor's
 * window. Elements that the first screen shows completely stay as they are there.
 */
export async function recordFollowers(workEvent: string): Promise<void> {
  const { scenes } = state;
  if (!scenes) return;
  const end = performance.now() + withinMs;
  for (const [element, before] of scenes.texts) {
    if (!isBelow(element) || element.textContent !== before) scenes.texts.delete(element);
  }
  for (const [canvas, watched] of scenes.canvases) {
    if (!(await follows(canvas, watched, workEvent, end))) scenes.canvases.delete(canvas);
  }
  for (const [element, { width, height }] of scenes.sized) {
    const isSmaller = element.offsetWidth < width - 1 || element.offsetHeight < height - 1;
    if (!isSmaller || !element.isConnected || !hasRoom(element)) scenes.sized.delete(element);
  }
}

function isBelow(element: Element): boolean {
  return element.isConnected && element.getBoundingClientRect().bottom + window.scrollY > window.innerHeight;
}

async function follows(
  canvas: HTMLCanvasElement,
  { before, hasChanged }: WatchedCanvas,
  workEvent: string,
  end: number,
): Promise<boolean> {
  if (!hasChanged || !isBelow(canvas)) return false;
  return isNear(before, sample(canvas)) || isDrawnAgain(canvas, workEvent, end);
}

/** Whether a canvas shows another state halfway through a pinned scene, and its first state again at the top. */
async function isDrawnAgain(canvas: HTMLCanvasElement, workEvent: string, end: number): Promise<boolean> {
  const root = scrollingElement();
  // A canvas that keeps moving does not follow.
  if (performance.now() > end || !(await standsStill(canvas, workEvent))) return false;
  const atTop = sample(canvas);
  if (!atTop) return false;
  canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
  root.scrollBy({ top: window.innerHeight * 0.4, behavior: 'instant' });
  await standsStill(canvas, workEvent);
  const inMiddle = sample(canvas);
  root.scrollTo({ top: 0, behavior: 'instant' });
  await standsStill(canvas, workEvent);
  return !isNear(atTop, inMiddle) && isNear(atTop, sample(canvas));
}

/** Waits until a canvas stands still, and returns whether it does. The page's clock is hurried meanwhile. */
async function standsStill(canvas: HTMLCanvasElement, workEvent: string): Promise<boolean> {
  let before = sample(canvas);
  hurry(workEvent, hurryMs);
  let still = 0;
  for (let frame = 0; frame < frames.atMost && still < frames.toFollow; frame += 1) {
    await nextFrame();
    const now = sample(canvas);
    still = now && isNear(now, before) ? still + 1 : 0;
    before = now;
  }
  hurry(workEvent, 0);
  return still >= frames.toFollow;
}

/** Whether an element's size moves no other element: a line along a timeline, an image that grows to fill its scene. */
function hasRoom(element: HTMLElement): boolean {
  const isPlaced = getComputedStyle(element).position === 'absolute';
  const { parentElement: parent } = element;
  return isPlaced || (parent !== null && /hidden|clip/.test(getComputedStyle(parent).overflow));
}
