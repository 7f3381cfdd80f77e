/// <reference lib="dom" />
import type { FrozenWorld } from './frozen.ts';

/**
 * Repeats images and videos that stay in the window behind the page, with what lies over them: each screen of the page shows
 * a copy. With more copies than the limits allow, the photo is stretched. Sent as text by `runInPage`, so it must be
 * self-contained.
 *
 * @param limits.elements in all copies, at most.
 * @param limits.pixels of all copies of videos, at most.
 * @param limits.imagesWithinMs how long the images of copies are waited for.
 */
export async function repeatPhotos(limits: {
  elements: number;
  pixels: number;
  imagesWithinMs: number;
}): Promise<void> {
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  if (!frozen || frozen.photos.size === 0) return;
  const { innerWidth, innerHeight: grown, devicePixelRatio } = window;
  const { height: windowHeight } = frozen;
  const left = { ...limits };
  const waiting: Promise<void>[] = [];
  for (const element of frozen.photos) {
    const count = Math.ceil(grown / windowHeight) - 1;
    if (!element.isConnected || count < 1) continue;
    const copies = canCopy(element, count)
      ? Array.from({ length: count }, (_, index) => copyOf(element, index + 1))
      : [];
    element.after(...copies);
    if (copies.length === 0) frozen.styleOf(element).setProperty('height', `${grown}px`, 'important');
    frozen.copied.push({ element, copies, grown });
  }
  frozen.photos.clear();
  const timeout = new Promise((resolve) => setTimeout(resolve, limits.imagesWithinMs));
  await Promise.race([Promise.allSettled(waiting), timeout]);

  /** Whether copies of it do nothing by themselves, and are within the limits. */
  function canCopy(element: HTMLElement, count: number): boolean {
    const all = [element, ...element.querySelectorAll('*')];
    const acts = (each: Element) =>
      each.localName.includes('-') || each.matches('iframe, object, embed, audio, canvas, script');
    if (all.some(acts)) return false;
    left.elements -= all.length * count;
    for (const each of all) {
      if (!(each instanceof HTMLVideoElement)) continue;
      const { width, height } = frameSize(each);
      left.pixels -= width * height * count;
    }
    return left.elements >= 0 && left.pixels >= 0;
  }

  /** Of what is in it, only what fills the window is shown: a button or a title is on the first screen. */
  function copyOf(element: HTMLElement, screen: number): HTMLElement {
    const copy = element.cloneNode(true) as HTMLElement;
    const originals = [element, ...element.querySelectorAll<HTMLElement>('*')];
    const shown = [copy, ...copy.querySelectorAll<HTMLElement>('*')].map((each, index) => {
      const original = originals[index] ?? element;
      if (original instanceof HTMLVideoElement) return frameOf(original, each);
      if (original === element || fills(original)) keepLook(each, getComputedStyle(original));
      else each.style?.setProperty('visibility', 'hidden', 'important');
      if (each instanceof HTMLImageElement) {
        each.loading = 'eager';
        waiting.push(each.decode());
      }
      return each;
    });
    const top = Number.parseFloat(getComputedStyle(element).top) + screen * windowHeight;
    const root = shown[0] ?? copy;
    root.style.setProperty('top', `${top}px`, 'important');
    root.style.setProperty('pointer-events', 'none', 'important');
    return root;
  }

  function fills(element: HTMLElement): boolean {
    const { width, height } = element.getBoundingClientRect();
    return width >= innerWidth * 0.8 && height >= windowHeight * 0.8;
  }

  /** Animations would start again. */
  function keepLook({ style }: HTMLElement, { opacity, transform, filter }: CSSStyleDeclaration): void {
    const styles = { animation: 'none', transition: 'none', opacity, transform, filter };
    for (const [name, value] of Object.entries(styles)) style?.setProperty(name, value, 'important');
  }

  /** No larger than it can be seen. */
  function frameSize({ videoWidth, videoHeight }: HTMLVideoElement): { width: number; height: number } {
    const scale = Math.min(1, (innerWidth * devicePixelRatio) / Math.max(1, videoWidth));
    return { width: Math.round(videoWidth * scale), height: Math.round(videoHeight * scale) };
  }

  /** What a video shows now, in place of its copy. */
  function frameOf(video: HTMLVideoElement, copy: HTMLElement): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    const { width, height } = frameSize(video);
    [canvas.width, canvas.height] = [width, height];
    canvas.getContext('2d')?.drawImage(video, 0, 0, width, height);
    const style = getComputedStyle(video);
    const place = [
      'position',
      'display',
      'top',
      'left',
      'width',
      'height',
      'min-width',
      'min-height',
      'margin',
      'z-index',
    ];
    const look = ['object-fit', 'object-position', 'opacity', 'transform', 'filter', 'mix-blend-mode'];
    for (const name of [...place, ...look]) {
      canvas.style.setProperty(name, style.getPropertyValue(name), 'important');
    }
    copy.replaceWith(canvas);
    return canvas;
  }
}

/** Removes the copies, for printing: paper shows a background of all of the page on every sheet. */
export function removeCopies(): void {
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  for (const { element, copies, grown } of frozen?.copied ?? []) {
    for (const copy of copies) copy.remove();
    frozen?.styleOf(element).setProperty('height', `${grown}px`, 'important');
  }
  if (frozen) frozen.copied = [];
}
