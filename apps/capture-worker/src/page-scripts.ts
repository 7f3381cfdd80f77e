/// <reference lib="dom" />
/**
 * What runs in pages (`runInPage`): each function is sent as text, so it sees nothing of what is around it here, and it
 * takes and gives JSON.
 */

/** Resolves in the next frame that the page draws. */
export function nextFrame(): Promise<true> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
  });
}

/**
 * Scrolls down by one viewport a frame, so that what waits to come into view has been in view, and back to the top.
 *
 * @param budgetMs then the rest is left, milliseconds.
 * @param followedViewports how many viewports down a page is followed that grows meanwhile.
 */
export async function scrollThrough(limits: { budgetMs: number; followedViewports: number }): Promise<void> {
  // Sections that are left out while they are out of view would be left out of the picture.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { content-visibility: visible !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const root = document.scrollingElement ?? document.documentElement;
  const step = window.innerHeight;
  const bottom = Math.max(root.scrollHeight, step * limits.followedViewports);
  const end = performance.now() + limits.budgetMs;
  for (let top = 0; top < Math.min(root.scrollHeight, bottom) && performance.now() < end; top += step) {
    // `instant`: where the page scrolls smoothly, each step would begin where the one before had got to.
    window.scrollTo({ top, behavior: 'instant' });
    await frame();
  }
  window.scrollTo({ top: 0, behavior: 'instant' });
  await frame();
}

/** Resolves when every image that has come can be drawn at once. */
export async function decodeImages(): Promise<void> {
  const come = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
  await Promise.allSettled(come.map((image) => image.decode()));
}
