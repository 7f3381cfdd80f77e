import { isEmpty } from '../dom/canvas-sample.ts';
import { nextFrame } from '../dom/next-frame.ts';
import { setStyles } from '../dom/styles.ts';
import { state } from '../state/page-state.ts';
import type { CanvasShape } from '../state/tall-page.ts';
import { forEachElement } from './visitor-window.ts';

/** The most pixels of a copy; each takes four bytes. */
const pixelsAtMost = 40_000_000;

/** Records the shapes of canvases, for `measurePage`. */
export function recordCanvases(): void {
  if (!state.visitor || state.canvasShapes) return;
  const shapes: CanvasShape[] = [];
  state.canvasShapes = shapes;
  forEachElement((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) return;
    const { height: box } = canvas.getBoundingClientRect();
    if (box > 0) shapes.push({ canvas, bitmap: canvas.height, box });
  });
}

/** Repeats canvases that stay in the window on each screen of the page. A canvas that cannot be copied is stretched. */
export async function finishCanvases(): Promise<void> {
  const { visitor, fixedCanvases } = state;
  if (!visitor || !fixedCanvases?.size) return;
  // A canvas of WebGL can be read only in the frame in which it is drawn.
  await nextFrame();
  for (const [element, canvas] of fixedCanvases) {
    const isTall = window.innerHeight > visitor.height;
    if (element.isConnected && canvas.isConnected && isTall) repeat(element, canvas, visitor.height);
  }
  fixedCanvases.clear();
}

function repeat(element: HTMLElement, canvas: HTMLCanvasElement, windowHeight: number): void {
  const { innerWidth, innerHeight: grown } = window;
  const copy = copyBelow(canvas, windowHeight);
  if (!copy) {
    setStyles(element, { height: `${grown}px` });
    return;
  }
  const { zIndex, opacity, mixBlendMode, filter } = getComputedStyle(element);
  const look = { 'z-index': zIndex, opacity, 'mix-blend-mode': mixBlendMode, filter, 'pointer-events': 'none' };
  const size = { left: '0', width: `${innerWidth}px`, height: `${grown - windowHeight}px` };
  setStyles(copy, { ...look, ...size, position: 'fixed', top: `${windowHeight}px`, margin: '0' });
  element.after(copy);
}

/** Copies the screens below the first screen; null if the copy would be too large, or shows nothing. */
function copyBelow(canvas: HTMLCanvasElement, windowHeight: number): HTMLCanvasElement | null {
  const { width, height } = canvas;
  const copy = document.createElement('canvas');
  copy.width = width;
  copy.height = Math.round((height * (window.innerHeight - windowHeight)) / windowHeight);
  if (width * copy.height > pixelsAtMost || width * height === 0) return null;
  const context = copy.getContext('2d');
  if (!context) return null;
  for (let top = 0; top < copy.height; top += height) context.drawImage(canvas, 0, top);
  return isEmpty(copy, 32) ? null : copy;
}
