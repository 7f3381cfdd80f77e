import { state } from './state/page-state.ts';

/** The title of the document, cut to so many characters, and its first console errors and uncaught exceptions. */
export function readDocumentFacts(longestTitle: number): { title: string; errors: string[] } {
  return { title: document.title.slice(0, longestTitle), errors: state.errors ?? [] };
}

/** The status that the document came with; null if Chromium does not know it. */
export function statusOfDocument(): number | null {
  const [navigation] = performance.getEntriesByType('navigation') as (PerformanceEntry & { responseStatus?: number })[];
  return navigation?.responseStatus || null;
}

/** Resolves when the first image of a stream is there, or after so many milliseconds. */
export async function firstImage(withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!((document.images[0]?.naturalWidth ?? 0) > 0) && performance.now() < end) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}
