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
 * Makes `WebSocket` lead nowhere, as before a server that is gone. Runs in the page's own world, or in a worker, before its
 * scripts.
 */
export function refuseSockets(): void {
  globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
    construct: (target, [, ...more], self) => Reflect.construct(target, ['wss://blocked.invalid/', ...more], self),
  });
}

/** Resolves when every image that has come can be drawn at once, and so can every font. */
export async function decodeImages(): Promise<void> {
  const come = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
  await Promise.allSettled([document.fonts.ready, ...come.map((image) => image.decode())]);
}

/** Takes what moves towards an end to that end; what moves for ever goes on. */
export function finishAnimations(): void {
  for (const animation of document.getAnimations()) {
    const end = animation.effect?.getComputedTiming().endTime;
    const timed = animation.timeline instanceof DocumentTimeline && animation.playState === 'running';
    if (timed && typeof end === 'number' && Number.isFinite(end)) animation.finish();
  }
}
