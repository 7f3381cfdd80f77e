import type { PageRequest } from '@capture/contract/options/fill-page';
import type { CDPSession, Protocol } from 'puppeteer';

export type ResourceKind = PageRequest['block_resources'][number];

type ResourceType = Protocol.Network.ResourceType;

/** Chromium's names. Documents belong to no kind, so none is ever refused; WebSockets pass by what stops requests. */
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
 * Where a request is stopped, Chromium has but a rough idea of its type: `fetch`, `XMLHttpRequest` and event streams are
 * all `XHR`, a worker's script is `Other`. The renderer knows better, and tells of each request by itself.
 */
const vague: ReadonlySet<ResourceType> = new Set(['XHR', 'Fetch', 'Other']);

/** The renderer tells some milliseconds before or after; of some requests (preflights) never. */
const toldWithinMs = 1_000;

/** What is to be stopped so that these kinds can be told from the others and refused. */
export function blockPatterns(blocked: readonly ResourceKind[]): Protocol.Fetch.RequestPattern[] {
  if (blocked.includes('other')) return [{ urlPattern: '*' }];
  const types = Object.entries(kinds).flatMap(([type, kind]) => (blocked.includes(kind) ? [type as ResourceType] : []));
  if (['xhr', 'fetch'].some((kind) => blocked.includes(kind as ResourceKind))) types.push('XHR', 'Fetch');
  if (blocked.includes('script')) types.push('Other');
  return [...new Set(types)].map((resourceType) => ({ urlPattern: '*', resourceType }));
}

/** Begins to listen what requests are for; the returned function tells of one that was stopped, null for documents. */
export function watchKinds(
  session: CDPSession,
): (paused: Protocol.Fetch.RequestPausedEvent) => Promise<ResourceKind | null> {
  const told = new Map<string, ResourceType>();
  const waiting = new Map<string, (type: ResourceType) => void>();
  session.on('Network.requestWillBeSent', ({ requestId, type = 'Other' }) => {
    told.set(requestId, type);
    waiting.get(requestId)?.(type);
  });
  // Refused where the target knows no network of its own; then the rough idea has to do.
  session.send('Network.enable').catch(() => undefined);
  return async ({ resourceType, networkId }) => {
    if (!vague.has(resourceType) || networkId === undefined) return kinds[resourceType] ?? null;
    const type = told.get(networkId) ?? (await soon(networkId)) ?? resourceType;
    return kinds[type] ?? null;
  };

  async function soon(networkId: string): Promise<ResourceType | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const type = await new Promise<ResourceType | undefined>((resolve) => {
      waiting.set(networkId, resolve);
      timer = setTimeout(() => resolve(undefined), toldWithinMs);
    });
    clearTimeout(timer);
    waiting.delete(networkId);
    return type;
  }
}
