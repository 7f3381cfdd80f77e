/// <reference lib="dom" />
/**
 * Scripts for `runInPage` that place what the page's scripts tie to the scroll position: parallax, entrances that follow the
 * scroll bar, pinned scenes. Each is sent as text, so it must be self-contained; input and result are JSON.
 */

/** What the scripts of this file remember. */
interface Scenes {
  /** Elements whose inline style changed while the window was scrolled. */
  scrolled: Set<Element>;
  /** Elements whose text changed meanwhile, with the text before; then with the last one that was in view. */
  texts: Map<Element, string>;
  /** The larger canvases, with a few pixels of each; then those that are drawn by scrolling, with a copy of the last state in view. */
  canvases: Map<HTMLCanvasElement, { before: number[]; hasChanged: boolean; copy?: HTMLCanvasElement }>;
  sample: (canvas: HTMLCanvasElement) => number[] | null;
  isNear: (one: number[], other: number[] | null) => boolean;
  /** Those that are not fixed, and the most complete look that a visitor sees. */
  looks: Map<HTMLElement | SVGElement, { distance: number; styles: Record<string, string> }>;
  /** How far an element is from being shown in full at its own place; 0 if it is. */
  distanceOf: (element: Element) => number;
}

/**
 * Finds the texts and canvases that follow the scroll position: at the top again, they look as before. Runs in the visitor's
 * window. What the first screen shows in full stays as it is there.
 */
export function findFollowers(): void {
  const { captureScenes: scenes } = globalThis as { captureScenes?: Scenes };
  if (!scenes) return;
  const isBelow = (element: Element) =>
    element.isConnected && element.getBoundingClientRect().bottom + window.scrollY > window.innerHeight;
  for (const [element, before] of scenes.texts) {
    if (!isBelow(element) || element.textContent !== before) scenes.texts.delete(element);
  }
  for (const [canvas, { before, hasChanged }] of scenes.canvases) {
    const follows = hasChanged && isBelow(canvas) && scenes.isNear(before, scenes.sample(canvas));
    if (!follows) scenes.canvases.delete(canvas);
  }
}

/**
 * Finds what scripts moved while the window was scrolled, and what is not at its end in the grown window.
 *
 * @returns how many of these there are, with the texts and canvases that follow the scroll position.
 */
export function findScenes({ atMost }: { atMost: number }): number {
  const world = globalThis as { captureScenes?: Scenes; captureChanges?: { endless: WeakSet<Element> } };
  const scenes = world.captureScenes;
  if (!scenes) return 0;
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
  let incomplete = 0;
  for (const element of scenes.scrolled) {
    if (scenes.looks.size >= atMost) break;
    if (!(element instanceof HTMLElement || element instanceof SVGElement) || !element.isConnected) continue;
    // What moves without an end does so without being scrolled.
    if (isFixed(element) || world.captureChanges?.endless.has(element)) continue;
    if (scenes.distanceOf(element) >= 0.05) incomplete += 1;
    // Also what is complete now: another size of the window may change that.
    scenes.looks.set(element, { distance: Number.POSITIVE_INFINITY, styles: {} });
  }
  if (incomplete === 0) scenes.looks.clear();
  for (const states of [scenes.texts, scenes.canvases]) {
    for (const element of states.keys()) if (isFixed(element)) states.delete(element as HTMLCanvasElement);
  }
  return incomplete + scenes.texts.size + scenes.canvases.size;
}

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
  const scenes = (globalThis as { captureScenes?: Scenes }).captureScenes;
  if (!scenes) return;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const end = performance.now() + budgetMs;
  const root = document.scrollingElement ?? document.documentElement;
  const { innerHeight } = window;
  const elements = [...scenes.looks.keys()];
  const watched = new Set<Element>([...elements, ...scenes.texts.keys(), ...scenes.canvases.keys()]);
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
    const leaveAt = pageNow() + stopMs;
    const isTime = () => performance.now() < end && pageNow() < leaveAt;
    let moving: Element[] = [];
    for (let still = 0; still < stillFrames && isTime(); still = moving.length > 0 ? 0 : still + 1) {
      await frame();
      moving = changed();
    }
    for (const element of moving) endless.set(element, (endless.get(element) ?? 0) + 1);
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

  function rememberStates(): void {
    const isSeen = (element: Element) =>
      isInView(element) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    for (const element of scenes?.texts.keys() ?? []) {
      if (isSeen(element)) scenes?.texts.set(element, element.textContent ?? '');
    }
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

/** Gives elements the look that `watchScenes` remembers, where the grown window shows less of them, and texts and canvases their state. */
export function placeScenes(): void {
  const scenes = (globalThis as { captureScenes?: Scenes }).captureScenes;
  if (!scenes) return;
  const isShown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const shown = [...scenes.scrolled]
    .filter((element) => !scenes.looks.has(element as HTMLElement) && element.isConnected && isShown(element))
    .map((element) => ({ element, rect: element.getBoundingClientRect() }));
  for (const [element, { distance, styles }] of scenes.looks) {
    if (!element.isConnected || distance > scenes.distanceOf(element) - 0.02) continue;
    const { style } = element;
    const before = style.cssText;
    const wasShown = Number(getComputedStyle(element).opacity) > 0.1;
    for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
    if (!isShown(element)) continue;
    // Texts that take turns in one place: the one that is there already, or the first.
    const rect = element.getBoundingClientRect();
    const isTaken = shown.some(
      (other) => !other.element.contains(element) && !element.contains(other.element) && overlaps(other.rect, rect),
    );
    if (isTaken && !wasShown) style.cssText = before;
    else shown.push({ element, rect });
  }

  for (const [element, text] of scenes.texts) hold(element, text);
  for (const [canvas, { copy }] of scenes.canvases) {
    // Its script may draw it again at any time.
    if (copy && canvas.isConnected) canvas.replaceWith(copy);
  }

  /** Its script may write another text at any time. */
  function hold(element: Element, text: string): void {
    let left = 100;
    const observer = new MutationObserver(put);
    put();
    observer.observe(element, { childList: true, characterData: true, subtree: true });

    function put(): void {
      if (element.childElementCount > 0 || element.textContent === text) return;
      left -= 1;
      // Another one would put it back without end.
      if (left > 0) element.textContent = text;
      else observer.disconnect();
    }
  }

  /** By more than half of the smaller one. */
  function overlaps(one: DOMRect, other: DOMRect): boolean {
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    const least = Math.min(one.width * one.height, other.width * other.height);
    return width > 0 && height > 0 && width * height > least / 2;
  }
}
