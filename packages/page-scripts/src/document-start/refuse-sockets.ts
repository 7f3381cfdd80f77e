/** Makes every `WebSocket` fail to connect. Runs before the scripts of a page, in the page's own world, or of a worker. */
export default function refuseSockets(): void {
  globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
    construct: (target, [, ...more], self) => Reflect.construct(target, ['wss://blocked.invalid/', ...more], self),
  });
}
