/// <reference lib="dom" />
/** Scripts for `runInPage`: each function is sent as text, so it must be self-contained; input and result are JSON. */

/** Resolves when the page draws its next frame. */
export function nextFrame(): Promise<true> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
  });
}

/** Makes every `WebSocket` fail to connect. Runs before the scripts of a page (in its own world) or of a worker. */
export function refuseSockets(): void {
  globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
    construct: (target, [, ...more], self) => Reflect.construct(target, ['wss://blocked.invalid/', ...more], self),
  });
}

/** Resolves when all loaded images are decoded. */
export async function decodeImages(): Promise<void> {
  const loaded = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
  await Promise.allSettled(loaded.map((image) => image.decode()));
}
