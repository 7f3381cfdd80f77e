import { state } from './state/page-state.ts';

export { nextFrame } from './dom/next-frame.ts';

/** Returns the title, cut to `longestTitle` characters, and the first console errors and uncaught exceptions of the document. */
export function readDocumentFacts(longestTitle: number): { title: string; errors: string[] } {
  return { title: document.title.slice(0, longestTitle), errors: state.errors ?? [] };
}

/** Resolves when all loaded images are decoded. */
export async function decodeImages(): Promise<void> {
  const loaded = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
  await Promise.allSettled(loaded.map((image) => image.decode()));
}

/** Resolves when the first image of a stream has arrived, or after `withinMs` milliseconds. */
export async function firstImage(withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!((document.images[0]?.naturalWidth ?? 0) > 0) && performance.now() < end) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

/** Returns the HTTP status that the document came with; null if Chromium does not know the status. */
export function documentStatus(): number | null {
  const [navigation] = performance.getEntriesByType('navigation') as (PerformanceEntry & { responseStatus?: number })[];
  return navigation?.responseStatus || null;
}
