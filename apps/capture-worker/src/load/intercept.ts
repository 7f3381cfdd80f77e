import type { PageRequest } from '@capture/contract/options/fill-page';
import { documentStart } from '@capture/page-scripts/scripts';
import type { CDPSession, Protocol } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { waitUntil } from '../page/wait-until.ts';
import { blockPatterns, type ResourceKind, watchKinds } from './resource-kinds.ts';

const callWithinMs = 10_000;

/** How long requests wait until their document is reported, milliseconds. */
const documentWithinMs = 1_000;

export type InterceptedRequest = Pick<PageRequest, 'url' | 'headers' | 'basic_auth' | 'block_resources'>;

export function blocksResources({ block_resources: blocked }: Pick<InterceptedRequest, 'block_resources'>): boolean {
  return blocked.length > 0;
}

/**
 * Sends `headers` and `basic_auth` only to the URL's own origin, and blocks `block_resources`. Only requests that these options
 * concern are paused, because each pause costs 1 ms.
 */
export async function intercept(page: CapturePage, request: InterceptedRequest, deadline: Deadline): Promise<void> {
  const { headers, basic_auth: credentials } = request;
  if (!headers && !credentials && !blocksResources(request)) return;
  const { origin } = new URL(request.url);
  const ownPatterns = headers || credentials ? [{ urlPattern: `${origin}/*` }] : [];
  const patterns = [...blockPatterns(request.block_resources), ...ownPatterns];
  // If the URL has redirected to another origin, that origin's page gets no headers; but the page may redirect back.
  let reported: Promise<boolean> | undefined;
  const isOwn = async (paused: Paused) => {
    if (!isAt(paused.request.url, origin)) return false;
    if (paused.resourceType === 'Document') return true;
    // The page's process may report its document after Chromium has paused the first requests, which share one wait.
    reported ??= waitUntil(page, { deadline, limitMs: documentWithinMs }, ({ document }) => document !== null);
    await reported;
    return isAt(page.activity.document?.url, origin);
  };
  onPaused(page.session, request, async (paused) =>
    headers && (await isOwn(paused)) ? withHeaders(paused, headers) : undefined,
  );
  if (credentials) onChallenge(page.session, credentials, (challenge) => challenge.origin === origin);
  const enabling = patterns.length > 0 && enable(page.session, patterns, credentials !== undefined);
  const setting = Promise.all([enabling, refuseWebSockets(page.session, request)]);
  await page.step('setting up interception', callWithinMs, deadline, setting);
}

/** Blocks `block_resources` in a cross-site frame, which has a separate session. */
export async function interceptFrame(session: CDPSession, request: InterceptedRequest): Promise<void> {
  const patterns = blockPatterns(request.block_resources);
  onPaused(session, request, async () => undefined);
  await Promise.all([patterns.length > 0 && enable(session, patterns, false), refuseWebSockets(session, request)]);
}

/** Blocks WebSockets in a worker that has not started. In a frame it repeats the setup of `interceptFrame`. */
export async function interceptWorker(
  session: CDPSession,
  { block_resources: blocked }: Pick<InterceptedRequest, 'block_resources'>,
): Promise<void> {
  if (blocked.includes('websocket'))
    await session.send('Runtime.evaluate', { expression: documentStart('refuse-sockets', null) });
}

type Paused = Protocol.Fetch.RequestPausedEvent;

function enable(session: CDPSession, patterns: Protocol.Fetch.RequestPattern[], handleAuthRequests: boolean) {
  return session.send('Fetch.enable', { patterns, handleAuthRequests });
}

/** Fails blocked requests and continues the others, with the headers that `headersOf` returns, if any. */
function onPaused(
  session: CDPSession,
  { block_resources: blocked }: InterceptedRequest,
  headersOf: (paused: Paused) => Promise<Protocol.Fetch.HeaderEntry[] | undefined>,
): void {
  const kindOf = blocked.length > 0 ? watchKinds(session) : async (): Promise<ResourceKind | null> => null;
  const isBlocked = async (paused: Paused) => {
    const kind = await kindOf(paused);
    return kind !== null && blocked.includes(kind);
  };
  session.on('Fetch.requestPaused', async (paused) => {
    const { requestId } = paused;
    const refuse = (errorReason: 'BlockedByClient' | 'Failed') =>
      session.send('Fetch.failRequest', { requestId, errorReason }).catch(() => undefined);
    if (await isBlocked(paused)) {
      await refuse('BlockedByClient');
      return;
    }
    try {
      const headers = await headersOf(paused);
      await session.send('Fetch.continueRequest', { requestId, ...(headers && { headers }) });
    } catch {
      // A request that cannot continue fails instead of hanging.
      await refuse('Failed');
    }
  });
}

function withHeaders(paused: Paused, headers: Record<string, string>): Protocol.Fetch.HeaderEntry[] {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const others = Object.entries(paused.request.headers).filter(([name]) => !names.has(name.toLowerCase()));
  return [...others, ...Object.entries(headers)].map(([name, value]) => ({ name, value }));
}

/** Sends credentials once per request. A second challenge means that they are wrong, and the server's error page is shown. */
function onChallenge(
  session: CDPSession,
  { username, password }: NonNullable<InterceptedRequest['basic_auth']>,
  isOwn: (challenge: Protocol.Fetch.AuthChallenge) => boolean,
): void {
  const attempted = new Set<string>();
  session.on('Fetch.authRequired', ({ requestId, authChallenge, request: { url } }) => {
    const isBasic = authChallenge.source !== 'Proxy' && authChallenge.scheme.toLowerCase() === 'basic';
    const provide = isBasic && isOwn(authChallenge) && isAt(url, authChallenge.origin) && !attempted.has(requestId);
    attempted.add(requestId);
    const authChallengeResponse = provide
      ? { response: 'ProvideCredentials' as const, username, password }
      : { response: 'CancelAuth' as const };
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined);
  });
}

async function refuseWebSockets(session: CDPSession, { block_resources: blocked }: InterceptedRequest): Promise<void> {
  if (!blocked.includes('websocket')) return;
  // A frame's session has no `Page` events yet, and without them Chromium runs no script of this session in new documents.
  const calls = [
    session.send('Page.enable'),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: documentStart('refuse-sockets', null) }),
  ];
  await Promise.all(calls);
}

function isAt(url: string | undefined, origin: string): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).origin === origin;
}
