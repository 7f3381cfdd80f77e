/// <reference lib="dom" />
import type { Scenes } from './scenes.ts';

/** See `recordChanges`. */
export type ChangeRecording = ReturnType<typeof recordChanges>;

/** Remembers what scripts change while the window is scrolled; see `findScenes`. Part of `scrollThrough`. */
export function recordChanges({ input: { maxCanvases } }: { input: { maxCanvases: number } }) {
  return { startRecording };

  function startRecording(): { look: () => void; end: () => void } {
    const scrolled = new Set<Element>();
    const sized: Scenes['sized'] = new Map();
    const probe = document.createElement('div').style;
    const texts = new Map<Element, string>();
    const canvases = new Map<HTMLCanvasElement, { before: number[]; hasChanged: boolean; wasInView?: boolean }>();
    const small = new OffscreenCanvas(16, 16).getContext('2d', { willReadFrequently: true });
    /** A few pixels of a canvas; null if it cannot be read. */
    const sample = (canvas: HTMLCanvasElement): number[] | null => {
      try {
        small?.clearRect(0, 0, 16, 16);
        small?.drawImage(canvas, 0, 0, 16, 16);
        return [...(small?.getImageData(0, 0, 16, 16).data ?? [])];
      } catch {
        return null;
      }
    };
    const isNear = (one: number[], other: number[] | null) =>
      other !== null && one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) < one.length * 2;
    for (const canvas of [...document.querySelectorAll('canvas')].slice(0, maxCanvases)) {
      const before = canvas.offsetWidth * canvas.offsetHeight < 20_000 ? null : sample(canvas);
      if (before) canvases.set(canvas, { before, hasChanged: false });
    }
    const observer = new MutationObserver((records) => {
      for (const { target, type, oldValue, removedNodes } of records) {
        if (type === 'attributes') {
          if (scrolled.size < 500) scrolled.add(target as Element);
          noteSize(target as Element, oldValue ?? '');
          continue;
        }
        const element = target instanceof Element ? target : target.parentElement;
        const before = oldValue ?? [...removedNodes].map(({ textContent }) => textContent).join('');
        const isText = element && element.childElementCount === 0 && before.trim() !== '';
        if (isText && texts.size < 200 && !texts.has(element)) texts.set(element, before);
      }
    });
    const changes = { childList: true, characterData: true, characterDataOldValue: true, attributeFilter: ['style'] };
    observer.observe(document, { subtree: true, attributeOldValue: true, ...changes });
    const scenes: Omit<Scenes, 'distanceOf'> = {
      scrolled,
      sized,
      noteLargest,
      looks: new Map(),
      texts,
      canvases,
      sample,
      isNear,
    };
    (globalThis as { captureScenes?: object }).captureScenes = scenes;
    return {
      look() {
        for (const element of sized.keys()) noteLargest(element);
        for (const [canvas, state] of canvases) {
          const { top, bottom } = canvas.getBoundingClientRect();
          const isInView = top < window.innerHeight && bottom > 0;
          // Some are drawn in the frame after the one that is scrolled.
          const mayBeDrawn = isInView || state.wasInView;
          state.wasInView = isInView;
          if (mayBeDrawn && !state.hasChanged) state.hasChanged = !isNear(state.before, sample(canvas));
        }
      },
      end: () => observer.disconnect(),
    };

    function noteLargest(element: HTMLElement): void {
      const { width = 0, height = 0 } = sized.get(element) ?? {};
      const { offsetWidth, offsetHeight } = element;
      sized.set(element, { width: Math.max(width, offsetWidth), height: Math.max(height, offsetHeight) });
    }

    /** Notes an element if its scripts have changed the size in its inline style. */
    function noteSize(element: Element, before: string): void {
      if (sized.size >= 100 || !(element instanceof HTMLElement) || sized.has(element)) return;
      // Most changes are of a transform, many in every frame: only the others are parsed.
      if (!/width|height/.test(before + element.getAttribute('style'))) return;
      probe.cssText = before;
      const { width, height } = element.style;
      if (width !== probe.width || height !== probe.height) noteLargest(element);
    }
  }
}
