import { state } from '../state/page-state.ts';
import type { Backdrop } from '../state/tall-page.ts';

/** How long images are waited for, milliseconds. They have arrived, as they are in view or were scrolled to, and are read from memory. */
const imagesWithinMs = 500;

const imagesAtMost = 20;

/** Reads the proportions of the images of backgrounds into `state.ratios`. */
export async function readRatios(backdrops: Backdrop[]): Promise<void> {
  state.ratios ??= new Map();
  const { ratios } = state;
  const urls = backdrops.flatMap(({ image }) => [...image.matchAll(/url\("([^"]*)"\)/g)].map(([, url = '']) => url));
  const unknown = [...new Set(urls)].filter((url) => !ratios.has(url));
  if (unknown.length === 0) return;
  const reading = unknown.slice(0, imagesAtMost).map(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    ratios.set(url, image.naturalWidth / image.naturalHeight);
  });
  await within(imagesWithinMs, Promise.allSettled(reading));
}

/** Waits for images, for so long at most, milliseconds. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, limitMs))]);
}
