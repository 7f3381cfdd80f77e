/** Resolves when the page draws its next frame. */
export function nextFrame(): Promise<true> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
  });
}
