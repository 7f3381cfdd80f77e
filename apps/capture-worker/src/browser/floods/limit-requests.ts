/// <reference lib="dom" />
import type { FloodLimits } from '../../limits.ts';
import type { Check, WrapCalls } from './wrap-calls.ts';

/** Limits sockets, requests that may outlive the page, and clicks that cause such requests or downloads. */
export function limitRequests({ input: limits, calls }: { input: FloodLimits; calls: WrapCalls }): void {
  const { sockets, beacons, beaconsElsewhere, clicks, downloads } = limits;
  const { wrap, atMost, tooMany, prototypeOf, isElsewhere } = calls;
  const { apply, get: getValue } = Reflect;
  const { Proxy: Replacement } = globalThis;
  const { create: createObject, getOwnPropertyDescriptor: describe } = Object;
  const refuseSocket = () => {
    throw tooMany('sockets');
  };
  for (const name of ['WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource']) {
    wrap(globalThis, name, atMost(sockets), refuseSocket);
  }
  // They go through the main process. A capture waits for none of them.
  const mayOutlive = atMost(isElsewhere ? beaconsElsewhere : beacons);
  wrap(prototypeOf('Navigator'), 'sendBeacon', mayOutlive, () => true);
  wrap(globalThis, 'fetchLater', mayOutlive, () => {
    throw tooMany('requests');
  });
  const readKept = describe(prototypeOf('Request') ?? {}, 'keepalive')?.get;
  const outlives = (request: unknown): boolean => {
    try {
      return readKept !== undefined && apply(readKept, request, []);
    } catch {
      // A URL.
      return false;
    }
  };
  /** Beyond the limit a request ends with the page. */
  const endWithPage: Check = (args) => {
    const [request, given] = args;
    const isGiven = (typeof given === 'object' && given !== null) || typeof given === 'function';
    const asked = isGiven ? getValue(given, 'keepalive') : undefined;
    const mayStay = !(asked === undefined ? outlives(request) : asked) || mayOutlive([]);
    const keepalive = mayStay ? asked : false;
    if (!isGiven && mayStay) return true;
    // Read once: what an object of the page contains may change.
    const get = (_: unknown, name: PropertyKey) =>
      name === 'keepalive' ? keepalive : isGiven ? getValue(given, name) : undefined;
    args[1] = new Replacement(createObject(null), { get });
    return true;
  };
  wrap(globalThis, 'fetch', endWithPage);

  const mayClick = atMost(clicks);
  const mayRequest = atMost(downloads);
  const { closest } = (globalThis as { Element?: typeof Element }).Element?.prototype ?? {};
  const requests = (element: unknown) => {
    try {
      return closest !== undefined && apply(closest, element, ['[download], [ping]']) !== null;
    } catch {
      // No element.
      return false;
    }
  };
  wrap(prototypeOf('HTMLElement'), 'click', (_, self) => mayClick([]) && (!requests(self) || mayRequest([])));
  const readType = describe(prototypeOf('Event') ?? {}, 'type')?.get;
  const isClick = (event: unknown) => {
    try {
      return readType !== undefined && apply(readType, event, []) === 'click';
    } catch {
      // No event.
      return false;
    }
  };
  wrap(
    prototypeOf('EventTarget'),
    'dispatchEvent',
    ([event], self) => !isClick(event) || !requests(self) || mayRequest([]),
    () => true,
  );
}
