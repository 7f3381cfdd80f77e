/** Resolves when the page draws its next frame. */
export function nextFrame(): Promise<true> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
  });
}

/** Resolves when all loaded images are decoded. */
export async function decodeImages(): Promise<void> {
  const loaded = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
  await Promise.allSettled(loaded.map((image) => image.decode()));
}
