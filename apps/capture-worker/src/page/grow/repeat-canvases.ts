/// <reference lib="dom" />
import type { FrozenWorld } from './frozen.ts';

/**
 * Repeats canvases that stay in the window while the page scrolls: each screen of the page shows the same moment. One that
 * cannot be copied is stretched. Sent as text by `runInPage`, so it must be self-contained.
 *
 * @param limits.pixels of a copy, at most.
 */
export async function repeatCanvases({ pixels }: { pixels: number }): Promise<void> {
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  if (!frozen || frozen.scenes.size === 0) return;
  const { innerWidth, innerHeight: grown } = window;
  // A canvas of WebGL can be read only in the frame in which it is drawn.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  for (const [element, canvas] of frozen.scenes) {
    if (!element.isConnected || !canvas.isConnected || grown <= frozen.height) continue;
    const copy = copyBelow(canvas);
    const style = frozen.styleOf(copy ?? element);
    const { zIndex, opacity, mixBlendMode, filter } = getComputedStyle(element);
    const place = {
      left: '0',
      width: `${innerWidth}px`,
      'z-index': zIndex,
      opacity,
      'mix-blend-mode': mixBlendMode,
      filter,
    };
    const below = { ...place, position: 'fixed', top: `${frozen.height}px`, 'pointer-events': 'none', margin: '0' };
    const styles = copy ? { ...below, height: `${grown - frozen.height}px` } : { height: `${grown}px` };
    for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
    if (copy) element.after(copy);
  }
  frozen.scenes.clear();

  /** The screens below the first one; null if nothing of it can be seen. */
  function copyBelow(canvas: HTMLCanvasElement): HTMLCanvasElement | null {
    const { width, height } = canvas;
    const copy = document.createElement('canvas');
    copy.width = width;
    copy.height = Math.round((height * (grown - (frozen?.height ?? grown))) / (frozen?.height ?? grown));
    if (width * copy.height > pixels || width * height === 0) return null;
    const context = copy.getContext('2d');
    if (!context) return null;
    for (let top = 0; top < copy.height; top += height) context.drawImage(canvas, 0, top);
    try {
      const small = new OffscreenCanvas(32, 32).getContext('2d');
      small?.drawImage(copy, 0, 0, 32, 32);
      return small?.getImageData(0, 0, 32, 32).data.some((value) => value > 0) ? copy : null;
    } catch {
      // It shows images of other sites, and cannot be read.
      return copy;
    }
  }
}
