/** Makes every `WebSocket` fail to connect. The script runs before those of a page, in the page's own world, or of a worker. */
export default function refuseSockets(): void {
  globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
    construct: (target, [, ...more], self) => Reflect.construct(target, ['wss://blocked.invalid/', ...more], self),
  });
}
