import type { PageRequest } from '@capture/contract/options/fill-page';
import type { CDPSession, Protocol } from 'puppeteer';

export type ResourceKind = PageRequest['block_resources'][number];

type ResourceType = Protocol.Network.ResourceType;

/** The kind of each of Chromium's types. Documents have no kind; WebSockets are not intercepted as requests. */
const kinds: Partial<Record<ResourceType, ResourceKind>> = {
  Image: 'image',
  Media: 'media',
  Font: 'font',
  Stylesheet: 'stylesheet',
  Script: 'script',
  XHR: 'xhr',
  Fetch: 'fetch',
  TextTrack: 'other',
  Prefetch: 'other',
  EventSource: 'other',
  Manifest: 'other',
  SignedExchange: 'other',
  Ping: 'other',
  CSPViolationReport: 'other',
  Other: 'other',
};

/**
 * Types that are imprecise where requests are paused: `fetch`, `XMLHttpRequest` and event streams are all `XHR`, a worker's
 * script is `Other`. The renderer's event for the request has the exact type.
 */
const imprecise: ReadonlySet<ResourceType> = new Set(['XHR', 'Fetch', 'Other']);

/** How long to wait for the renderer's event, milliseconds; some requests (preflights) never have one. */
const reportedWithinMs = 1_000;

/** Returns the requests to pause in order to block these kinds. */
export function blockPatterns(blocked: readonly ResourceKind[]): Protocol.Fetch.RequestPattern[] {
  if (blocked.includes('other')) return [{ urlPattern: '*' }];
  const types = Object.entries(kinds).flatMap(([type, kind]) => (blocked.includes(kind) ? [type as ResourceType] : []));
  if (['xhr', 'fetch'].some((kind) => blocked.includes(kind as ResourceKind))) types.push('XHR', 'Fetch');
  if (blocked.includes('script')) types.push('Other');
  return [...new Set(types)].map((resourceType) => ({ urlPattern: '*', resourceType }));
}

/** Listens for request types. The returned function returns the kind of a paused request; null for documents. */
export function watchKinds(
  session: CDPSession,
): (paused: Protocol.Fetch.RequestPausedEvent) => Promise<ResourceKind | null> {
  const reported = new Map<string, ResourceType>();
  const waiting = new Map<string, (type: ResourceType) => void>();
  session.on('Network.requestWillBeSent', ({ requestId, type = 'Other' }) => {
    reported.set(requestId, type);
    waiting.get(requestId)?.(type);
  });
  // The call fails for targets without network events, whose type stays imprecise.
  session.send('Network.enable').catch(() => undefined);
  return async ({ resourceType, networkId }) => {
    if (!imprecise.has(resourceType) || networkId === undefined) return kinds[resourceType] ?? null;
    const type = reported.get(networkId) ?? (await nextType(networkId)) ?? resourceType;
    return kinds[type] ?? null;
  };

  async function nextType(networkId: string): Promise<ResourceType | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const type = await new Promise<ResourceType | undefined>((resolve) => {
      waiting.set(networkId, resolve);
      timer = setTimeout(() => resolve(undefined), reportedWithinMs);
    });
    clearTimeout(timer);
    waiting.delete(networkId);
    return type;
  }
}
