/// <reference lib="dom" />
import type { SceneWorld } from './scenes.ts';

/**
 * Scrolls through the page in the visitor's window, waits at each stop until nothing moves, and remembers for each
 * element how it looks where it is most complete, among the stops that show all of it; of a text or a canvas, the last of these.
 */
export async function watchScenes({
  workEvent,
  budgetMs,
  stopMs,
  stops,
  height,
}: {
  workEvent: string;
  budgetMs: number;
  /** Of the page, CSS pixels; parallax may make it seem taller. */
  height: number;
  /** How long what follows the scroll position is waited for at a stop, milliseconds of the page's clock. */
  stopMs: number;
  stops: number;
}): Promise<void> {
  const { captureScenes: scenes } = globalThis as SceneWorld;
  if (!scenes) return;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + budgetMs;
  const root = document.scrollingElement ?? document.documentElement;
  const { innerHeight } = window;
  const elements = [...scenes.looks.keys()];
  const followed = new Set<Element>([...scenes.texts.keys(), ...scenes.canvases.keys(), ...scenes.sized.keys()]);
  const watched = new Set<Element>([...elements, ...followed]);
  const names = ['opacity', 'visibility', 'transform', 'translate', 'scale', 'rotate', 'filter', 'clip-path'];
  names.push('stroke-dashoffset');
  const isInView = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const isTall = bottom - top > innerHeight * 0.9;
    return isTall ? top < innerHeight / 2 && bottom > innerHeight / 2 : top >= 0 && bottom <= innerHeight;
  };
  // From now on they are where scripts put them.
  for (const { style } of elements) style.setProperty('transition', 'none', 'important');
  /** What moves without an end is not waited for again. */
  const endless = new Map<Element, number>();
  const states = new Map<Element, string>();
  const stateOf = (element: Element) => {
    const state = [element.getAttribute('style')];
    if (scenes.texts.has(element)) state.push(element.textContent);
    if (element instanceof HTMLCanvasElement && scenes.canvases.has(element)) state.push(`${scenes.sample(element)}`);
    return state.join('\n');
  };
  const changed = () =>
    [...watched].filter((element) => {
      const [before, now] = [states.get(element), stateOf(element)];
      states.set(element, now);
      return before !== now && (endless.get(element) ?? 0) < 2;
    });
  const pageNow = () => performance.now() + hurry(budgetMs);
  // Scripts that follow in their own frames begin in the second one; of a hurried page several run between two that are drawn.
  const stillFrames = (await isHurried()) ? 2 : 3;
  const step = Math.max(innerHeight / 4, height / stops);
  const last = Math.min(height, root.scrollHeight) - innerHeight;
  for (let top = 0; top < last + step && performance.now() < end; top += step) {
    root.scrollTo({ top: Math.min(top, last), behavior: 'instant' });
    if (!isOfInterest()) continue;
    for (const element of await untilStill()) endless.set(element, (endless.get(element) ?? 0) + 1);
    for (const element of elements) {
      const distance = scenes.distanceOf(element);
      const known = scenes.looks.get(element);
      if (!known || distance >= known.distance - 0.001) continue;
      if (!isInView(element)) continue;
      const style = getComputedStyle(element);
      const styles = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
      scenes.looks.set(element, { distance, styles });
    }
    rememberStates();
  }
  root.scrollTo({ top: 0, behavior: 'instant' });
  await frame();
  hurry(0);

  /** Whether something is near the window that is not complete yet, or is followed to its last state. */
  function isOfInterest(): boolean {
    return [...watched].some((element) => {
      const known = scenes?.looks.get(element as HTMLElement);
      if (known && known.distance < 0.001 && !followed.has(element)) return false;
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > -innerHeight / 2 && top < innerHeight * 1.5;
    });
  }

  /** Returns what still moves when the time for a stop is over. */
  async function untilStill(): Promise<Element[]> {
    const leaveAt = pageNow() + stopMs;
    const isTime = () => performance.now() < end && pageNow() < leaveAt;
    let moving: Element[] = [];
    for (let still = 0; still < stillFrames && isTime(); still = moving.length > 0 ? 0 : still + 1) {
      await frame();
      moving = changed();
    }
    return moving;
  }

  function rememberStates(): void {
    const isSeen = (element: Element) =>
      isInView(element) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    for (const element of scenes?.texts.keys() ?? []) {
      if (isSeen(element)) scenes?.texts.set(element, element.textContent ?? '');
    }
    for (const element of scenes?.sized.keys() ?? []) scenes?.noteLargest(element);
    for (const [canvas, state] of scenes?.canvases ?? []) {
      if (!isSeen(canvas)) continue;
      state.copy ??= canvas.cloneNode() as HTMLCanvasElement;
      [state.copy.width, state.copy.height] = [canvas.width, canvas.height];
      state.copy.getContext('2d')?.drawImage(canvas, 0, 0);
    }
  }

  async function isHurried(): Promise<boolean> {
    const before = hurry(budgetMs);
    await frame();
    await frame();
    return hurry(budgetMs) > before;
  }

  /** Lets time pass quickly for the page; see `trackWork`. Returns how far its clock is ahead, milliseconds. */
  function hurry(forMs: number): number {
    let aheadMs = 0;
    const read = (reply: Event) => {
      aheadMs = Number(JSON.parse(String((reply as CustomEvent).detail)).aheadMs) || 0;
    };
    document.addEventListener(`${workEvent}-reply`, read, { once: true });
    document.dispatchEvent(new CustomEvent(workEvent, { detail: String(forMs) }));
    document.dispatchEvent(new CustomEvent(workEvent));
    document.removeEventListener(`${workEvent}-reply`, read);
    return aheadMs;
  }
}
