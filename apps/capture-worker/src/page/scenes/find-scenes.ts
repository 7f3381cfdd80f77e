/// <reference lib="dom" />
/** Scripts for `runInPage` that find scenes: each is sent as text, so it must be self-contained; input and result are JSON. */

import type { SceneWorld } from './scenes.ts';

/** Frames after which a script has drawn what belongs to a scroll position, also one that follows it with a delay of half a second. */
const framesToFollow = 6;

/** Canvases that are not as they were at the top are looked at for so long together, milliseconds. */
export const following = { frames: framesToFollow, framesAtMost: 20, withinMs: 1_500 };

/**
 * Finds the texts and canvases that follow the scroll position: at the top again, they look as before. Runs in the visitor's
 * window. What the first screen shows in full stays as it is there.
 */
export async function findFollowers({
  workEvent,
  frames,
  framesAtMost,
  withinMs,
}: {
  workEvent: string;
  frames: number;
  framesAtMost: number;
  withinMs: number;
}): Promise<void> {
  const { captureScenes: scenes } = globalThis as SceneWorld;
  if (!scenes) return;
  const end = performance.now() + withinMs;
  const isBelow = (element: Element) =>
    element.isConnected && element.getBoundingClientRect().bottom + window.scrollY > window.innerHeight;
  for (const [element, before] of scenes.texts) {
    if (!isBelow(element) || element.textContent !== before) scenes.texts.delete(element);
  }
  for (const [canvas, { before, hasChanged }] of scenes.canvases) {
    const follows = hasChanged && isBelow(canvas);
    if (!follows || !(scenes.isNear(before, scenes.sample(canvas)) || (await isDrawnAgain(canvas)))) {
      scenes.canvases.delete(canvas);
    }
  }
  for (const [element, { width, height }] of scenes.sized) {
    const isSmaller = element.offsetWidth < width - 1 || element.offsetHeight < height - 1;
    if (!isSmaller || !element.isConnected || !hasRoom(element)) scenes.sized.delete(element);
  }

  /** Whether it shows another state beyond the center of the window, where a pinned scene is on its way, and at the top the same one again. */
  async function isDrawnAgain(canvas: HTMLCanvasElement): Promise<boolean> {
    const root = document.scrollingElement ?? document.documentElement;
    // What goes on moving does not follow.
    if (performance.now() > end || !(await untilDrawn(canvas))) return false;
    const atTop = scenes?.sample(canvas);
    if (!atTop) return false;
    canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
    root.scrollBy({ top: window.innerHeight * 0.4, behavior: 'instant' });
    await untilDrawn(canvas);
    const inMiddle = scenes?.sample(canvas) ?? null;
    root.scrollTo({ top: 0, behavior: 'instant' });
    await untilDrawn(canvas);
    return scenes !== undefined && !scenes.isNear(atTop, inMiddle) && scenes.isNear(atTop, scenes.sample(canvas));
  }

  /** Returns whether it stands still. The clock of the page is hurried meanwhile. */
  async function untilDrawn(canvas: HTMLCanvasElement): Promise<boolean> {
    const hurry = (forMs: number) => document.dispatchEvent(new CustomEvent(workEvent, { detail: String(forMs) }));
    let before = scenes?.sample(canvas) ?? null;
    hurry(500);
    let still = 0;
    for (let frame = 0; frame < framesAtMost && still < frames; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = scenes?.sample(canvas) ?? null;
      still = now && scenes?.isNear(now, before) ? still + 1 : 0;
      before = now;
    }
    hurry(0);
    return still >= frames;
  }

  /** Whether its size moves nothing else: a line along a timeline, an image that grows to fill its scene. */
  function hasRoom(element: HTMLElement): boolean {
    const isPlaced = getComputedStyle(element).position === 'absolute';
    const { parentElement: parent } = element;
    return isPlaced || (parent !== null && /hidden|clip/.test(getComputedStyle(parent).overflow));
  }
}

/**
 * Finds what scripts moved while the window was scrolled, and what is not at its end in the grown window.
 *
 * @returns how many of these there are, with the texts and canvases that follow the scroll position, and whether all are only
 * hidden, as what appears at once where it comes into view.
 */
export function findScenes({ atMost }: { atMost: number }): { found: number; areHidden: boolean } {
  const world = globalThis as SceneWorld & { captureChanges?: { endless: WeakSet<Element> } };
  const scenes = world.captureScenes;
  if (!scenes) return { found: 0, areHidden: false };
  const { innerWidth } = window;
  scenes.distanceOf = (element) => {
    const style = getComputedStyle(element);
    const { a, b, c, d, e, f } = new DOMMatrix(style.transform);
    const [x = 0, y = 0] = style.translate.split(' ').map((part) => Number.parseFloat(part) || 0);
    const [scaleX = 1, scaleY = scaleX] = style.scale === 'none' ? [1] : style.scale.split(' ').map(Number);
    const turned = style.rotate === 'none' ? 0 : 0.1;
    const moved = (Math.abs(e + x) + Math.abs(f + y)) / innerWidth;
    const sized = [a * scaleX - 1, d * scaleY - 1, b, c].reduce((sum, part) => sum + Math.abs(part), 0);
    const cut = /^inset\(([^)]*)/.exec(style.clipPath)?.[1]?.match(/[\d.]+(?=%)/g) ?? [];
    const clipped = cut.reduce((sum, part) => sum + Number(part) / 100, 0);
    const blurred = Number(/blur\(([\d.]+)px/.exec(style.filter)?.[1] ?? 0) / 20;
    const drawn = Math.abs(Number.parseFloat(style.strokeDashoffset) || 0) / 1_000;
    const hidden = 1 - Number(style.opacity) + (style.visibility === 'hidden' ? 1 : 0);
    return moved + sized + clipped + blurred + drawn + turned + hidden;
  };
  const isFixed = (element: Element) => {
    for (let each: Element | null = element; each; each = each.parentElement) {
      if (getComputedStyle(each).position === 'fixed') return true;
    }
    return false;
  };
  scenes.looks.clear();
  let [incomplete, hidden] = [0, 0];
  for (const element of scenes.scrolled) {
    if (scenes.looks.size >= atMost) break;
    if (!(element instanceof HTMLElement || element instanceof SVGElement) || !element.isConnected) continue;
    // What moves without an end does so without being scrolled.
    if (isFixed(element) || world.captureChanges?.endless.has(element)) continue;
    if (scenes.distanceOf(element) >= 0.05) {
      incomplete += 1;
      const { opacity, visibility } = getComputedStyle(element);
      if (Number(opacity) <= 0.02 || visibility === 'hidden') hidden += 1;
    }
    // Also what is complete now: another size of the window may change that.
    scenes.looks.set(element, { distance: Number.POSITIVE_INFINITY, styles: {} });
  }
  if (incomplete === 0) scenes.looks.clear();
  for (const states of [scenes.texts, scenes.canvases, scenes.sized]) {
    for (const element of states.keys()) if (isFixed(element)) states.delete(element as HTMLCanvasElement);
  }
  const found = incomplete + scenes.texts.size + scenes.canvases.size + scenes.sized.size;
  return { found, areHidden: hidden === found };
}
