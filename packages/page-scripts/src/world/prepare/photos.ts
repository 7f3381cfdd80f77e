import { setStyles } from '../dom/styles.ts';
import { state } from '../state/page-state.ts';
import { within } from './backdrops.ts';
import { visitorHeight } from './visitor-window.ts';

/** Limits of all copies together: their elements, and the pixels of copied videos, each of which takes four bytes. */
const atMost = { elements: 2_000, pixels: 40_000_000 };

/** How long to wait for the images of copies, milliseconds. */
const imagesWithinMs = 500;

/**
 * Repeats images and videos that stay in the window behind the page, together with the elements over them: each screen of the
 * page shows a copy. If the copies would exceed the limits, the photo is stretched.
 */
export async function finishPhotos(): Promise<void> {
  const { visitor, fixedPhotos } = state;
  if (!visitor || !fixedPhotos?.size) return;
  const { innerHeight: grown } = window;
  const count = Math.ceil(grown / visitor.height) - 1;
  const left = { ...atMost };
  const loading: Promise<void>[] = [];
  state.copiedPhotos ??= [];
  for (const element of fixedPhotos) {
    if (!element.isConnected || count < 1) continue;
    const screens = canCopy(element, count, left) ? Array.from({ length: count }, (_, index) => index + 1) : [];
    const copies = screens.map((screen) => copyOf(element, screen, loading));
    element.after(...copies);
    if (copies.length === 0) setStyles(element, { height: `${grown}px` });
    state.copiedPhotos.push({ element, copies, grown });
  }
  fixedPhotos.clear();
  await within(imagesWithinMs, Promise.allSettled(loading));
}

/** Removes the copies: paper shows a background of all of the page on every sheet. */
export function undoPhotos(): void {
  for (const { element, copies, grown } of state.copiedPhotos ?? []) {
    for (const copy of copies) copy.remove();
    setStyles(element, { height: `${grown}px` });
  }
  state.copiedPhotos = [];
}

/** Whether copies of a photo have no behaviour of their own, and are within the limits. */
function canCopy(element: HTMLElement, count: number, left: typeof atMost): boolean {
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

/** Copies only the elements of a photo that fill the window: a button or a title is on the first screen. */
function copyOf(element: HTMLElement, screen: number, loading: Promise<void>[]): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement;
  const originals = [element, ...element.querySelectorAll<HTMLElement>('*')];
  const shown = [copy, ...copy.querySelectorAll<HTMLElement>('*')].map((each, index) => {
    const original = originals[index] ?? element;
    if (original instanceof HTMLVideoElement) return frameOf(original, each);
    if (original === element || fillsWindow(original)) keepLook(each, getComputedStyle(original));
    else each.style?.setProperty('visibility', 'hidden', 'important');
    if (each instanceof HTMLImageElement) {
      each.loading = 'eager';
      loading.push(each.decode());
    }
    return each;
  });
  const top = Number.parseFloat(getComputedStyle(element).top) + screen * visitorHeight();
  const root = shown[0] ?? copy;
  setStyles(root, { top: `${top}px`, 'pointer-events': 'none' });
  return root;
}

function fillsWindow(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width >= window.innerWidth * 0.8 && height >= visitorHeight() * 0.8;
}

/** Fixes the look of a copy, because animations would start again. */
function keepLook({ style }: HTMLElement, { opacity, transform, filter }: CSSStyleDeclaration): void {
  const styles = { animation: 'none', transition: 'none', opacity, transform, filter };
  for (const [name, value] of Object.entries(styles)) style?.setProperty(name, value, 'important');
}

/** Returns the size of a video's copy: no larger than a visitor can see the video. */
function frameSize({ videoWidth, videoHeight }: HTMLVideoElement): { width: number; height: number } {
  const scale = Math.min(1, (window.innerWidth * window.devicePixelRatio) / Math.max(1, videoWidth));
  return { width: Math.round(videoWidth * scale), height: Math.round(videoHeight * scale) };
}

const placeOfVideo = ['position', 'display', 'top', 'left', 'width', 'height', 'min-width', 'min-height', 'margin'];
const lookOfVideo = ['z-index', 'object-fit', 'object-position', 'opacity', 'transform', 'filter', 'mix-blend-mode'];

/** Replaces the copy of a video by a canvas with its current frame. */
function frameOf(video: HTMLVideoElement, copy: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const { width, height } = frameSize(video);
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext('2d')?.drawImage(video, 0, 0, width, height);
  const style = getComputedStyle(video);
  for (const name of [...placeOfVideo, ...lookOfVideo]) {
    canvas.style.setProperty(name, style.getPropertyValue(name), 'important');
  }
  copy.replaceWith(canvas);
  return canvas;
}
