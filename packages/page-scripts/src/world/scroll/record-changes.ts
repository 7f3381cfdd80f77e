import { isNear, sample } from '../dom/canvas-sample.ts';
import { state } from '../state/page-state.ts';
import type { Scenes } from '../state/scenes.ts';

/** The most canvases that are watched for drawing by scrolling; looking at one canvas takes a millisecond. */
const canvasesAtMost = 5;

/** The most elements of each kind in the record. */
const atMost = { scrolled: 500, texts: 200, sized: 100 };

/** Records in `state.scenes` what scripts change while the window is scrolled, until `end` is called. */
export function startRecording(): { look: () => void; end: () => void } {
  const scenes: Scenes = {
    scrolled: new Set(),
    sized: new Map(),
    texts: new Map(),
    canvases: largeCanvases(),
    looks: new Map(),
  };
  state.scenes = scenes;
  const observer = new MutationObserver((records) => {
    for (const record of records) note(scenes, record);
  });
  const changes = { childList: true, characterData: true, characterDataOldValue: true, attributeFilter: ['style'] };
  observer.observe(document, { subtree: true, attributeOldValue: true, ...changes });
  return { look: () => look(scenes), end: () => observer.disconnect() };
}

function largeCanvases(): Scenes['canvases'] {
  const canvases: Scenes['canvases'] = new Map();
  for (const canvas of [...document.querySelectorAll('canvas')].slice(0, canvasesAtMost)) {
    const before = canvas.offsetWidth * canvas.offsetHeight < 20_000 ? null : sample(canvas);
    if (before) canvases.set(canvas, { before, hasChanged: false });
  }
  return canvases;
}

function note(scenes: Scenes, { target, type, oldValue, removedNodes }: MutationRecord): void {
  if (type === 'attributes') {
    if (scenes.scrolled.size < atMost.scrolled) scenes.scrolled.add(target as Element);
    noteSize(scenes, target as Element, oldValue ?? '');
    return;
  }
  const element = target instanceof Element ? target : target.parentElement;
  const before = oldValue ?? [...removedNodes].map(({ textContent }) => textContent).join('');
  const isText = element && element.childElementCount === 0 && before.trim() !== '';
  if (isText && scenes.texts.size < atMost.texts && !scenes.texts.has(element)) scenes.texts.set(element, before);
}

const probe = document.createElement('div').style;

/** Notes an element if its scripts have changed the size in its inline style. */
function noteSize(scenes: Scenes, element: Element, before: string): void {
  if (scenes.sized.size >= atMost.sized || !(element instanceof HTMLElement) || scenes.sized.has(element)) return;
  // Most changes are of a transform, many in every frame, so only the remaining changes are parsed.
  if (!/width|height/.test(before + element.getAttribute('style'))) return;
  probe.cssText = before;
  const { width, height } = element.style;
  if (width !== probe.width || height !== probe.height) noteLargest(scenes, element);
}

export function noteLargest({ sized }: Scenes, element: HTMLElement): void {
  const { width = 0, height = 0 } = sized.get(element) ?? {};
  const { offsetWidth, offsetHeight } = element;
  sized.set(element, { width: Math.max(width, offsetWidth), height: Math.max(height, offsetHeight) });
}

/** Looks at sizes and canvases in a frame, because no mutation record reports their changes. */
function look(scenes: Scenes): void {
  for (const element of scenes.sized.keys()) noteLargest(scenes, element);
  for (const [canvas, watched] of scenes.canvases) {
    const { top, bottom } = canvas.getBoundingClientRect();
    const isInView = top < window.innerHeight && bottom > 0;
    // Some canvases are drawn in the frame after the scrolled one.
    const mayBeDrawn = isInView || watched.wasInView;
    watched.wasInView = isInView;
    if (mayBeDrawn && !watched.hasChanged) watched.hasChanged = !isNear(watched.before, sample(canvas));
  }
}
