export function nextFrame(): Promise<true> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
  });
}
