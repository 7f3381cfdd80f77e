import { isShown } from '../../dom/examined.ts';
import { nextFrame } from '../../dom/next-frame.ts';
import { noteLargest } from '../../scroll/record-changes.ts';
import { scrollingElement } from '../../scroll/scroll.ts';
import { state } from '../../state/page-state.ts';
import type { Scenes } from '../../state/scenes.ts';
import { distanceOf, lookNames } from './looks.ts';
import { SceneWatch } from './scene-watch.ts';

/** The most stops on a very tall page; on a shorter page the window moves by a quarter of its height. */
const stopsAtMost = 60;

interface WatchLimits {
  workEvent: string;
  budgetMs: number;
  /** The height of the page, CSS pixels; parallax may make the page seem taller. */
  height: number;
}

/**
 * Scrolls through the page in the visitor's window, waits at each stop until nothing moves, and records for each element its most
 * complete look among the stops that show all of it; for a text or a canvas, the last look.
 */
export async function watchScenes({ workEvent, budgetMs, height }: WatchLimits): Promise<void> {
  const { scenes } = state;
  if (!scenes) return;
  const end = performance.now() + budgetMs;
  const root = scrollingElement();
  // From now on elements are where scripts put them.
  for (const { style } of scenes.looks.keys()) style.setProperty('transition', 'none', 'important');
  const watch = new SceneWatch(scenes, workEvent, { budgetMs, end });
  await watch.start();
  const step = Math.max(window.innerHeight / 4, height / stopsAtMost);
  const last = Math.min(height, root.scrollHeight) - window.innerHeight;
  for (let top = 0; top < last + step && performance.now() < end; top += step) {
    root.scrollTo({ top: Math.min(top, last), behavior: 'instant' });
    if (!watch.isOfInterest()) continue;
    await watch.untilStill();
    rememberLooks(scenes);
    rememberStates(scenes);
  }
  root.scrollTo({ top: 0, behavior: 'instant' });
  await nextFrame();
  watch.stop();
}

function rememberLooks({ looks }: Scenes): void {
  for (const [element, known] of looks) {
    const distance = distanceOf(element);
    if (distance >= known.distance - 0.001 || !isInView(element)) continue;
    const style = getComputedStyle(element);
    const names = [...lookNames, 'stroke-dashoffset'];
    const styles = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
    looks.set(element, { distance, styles });
  }
}

function rememberStates(scenes: Scenes): void {
  const isSeen = (element: Element) => isInView(element) && isShown(element);
  for (const element of scenes.texts.keys()) {
    if (isSeen(element)) scenes.texts.set(element, element.textContent ?? '');
  }
  for (const element of scenes.sized.keys()) noteLargest(scenes, element);
  for (const [canvas, watched] of scenes.canvases) {
    if (!isSeen(canvas)) continue;
    watched.copy ??= canvas.cloneNode() as HTMLCanvasElement;
    [watched.copy.width, watched.copy.height] = [canvas.width, canvas.height];
    watched.copy.getContext('2d')?.drawImage(canvas, 0, 0);
  }
}

/** Whether the window shows all of an element, or the middle of an element that is about as tall. */
function isInView(element: Element): boolean {
  const { innerHeight } = window;
  const { top, bottom } = element.getBoundingClientRect();
  const isTall = bottom - top > innerHeight * 0.9;
  return isTall ? top < innerHeight / 2 && bottom > innerHeight / 2 : top >= 0 && bottom <= innerHeight;
}
