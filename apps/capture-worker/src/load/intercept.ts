import type { PageRequest } from '@capture/contract/options/fill-page';
import type { CDPSession, Protocol } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { refuseSockets } from '../page/page-scripts.ts';
import { blockPatterns, type ResourceKind, watchKinds } from './resource-kinds.ts';

const callWithinMs = 10_000;

export type InterceptedRequest = Pick<PageRequest, 'url' | 'headers' | 'basic_auth' | 'block_resources'>;

/** Whether anything is refused, in frames of other sites too. */
export function blocksResources({ block_resources: blocked }: Pick<InterceptedRequest, 'block_resources'>): boolean {
  return blocked.length > 0;
}

/**
 * Sends `headers` and answers with `basic_auth` to the URL's own origin, and refuses `block_resources`. Only requests that
 * one of these concerns are stopped on their way, and none where nothing of it was asked for: each costs 1 ms.
 */
export async function intercept(page: CapturePage, request: InterceptedRequest, deadline: Deadline): Promise<void> {
  const { headers, basic_auth: credentials } = request;
  if (!headers && !credentials && !blocksResources(request)) return;
  const { origin } = new URL(request.url);
  const ownPatterns = headers || credentials ? [{ urlPattern: `${origin}/*` }] : [];
  const patterns = [...blockPatterns(request.block_resources), ...ownPatterns];
  // A page elsewhere, to which the URL led, asks for nothing in our client's name; but it may lead back.
  const isOwn = (paused: Paused) =>
    isAt(paused.request.url, origin) &&
    (paused.resourceType === 'Document' || isAt(page.activity.document?.url, origin));
  onPaused(page.session, request, (paused) => (headers && isOwn(paused) ? withHeaders(paused, headers) : undefined));
  if (credentials) onChallenge(page.session, credentials, (challenge) => challenge.origin === origin);
  const enabling = patterns.length > 0 && enable(page.session, patterns, credentials !== undefined);
  const setting = Promise.all([enabling, refuseWebSockets(page.session, request)]);
  await page.step('setting up its requests', callWithinMs, deadline, setting);
}

/** Refuses `block_resources` in a frame of another site, which has a session of its own. */
export async function interceptFrame(session: CDPSession, request: InterceptedRequest): Promise<void> {
  const patterns = blockPatterns(request.block_resources);
  onPaused(session, request, () => undefined);
  await Promise.all([patterns.length > 0 && enable(session, patterns, false), refuseWebSockets(session, request)]);
}

/** Refuses WebSockets in a worker that has not begun; in a frame it says once more what the frame was told. */
export async function interceptWorker(
  session: CDPSession,
  { block_resources: blocked }: Pick<InterceptedRequest, 'block_resources'>,
): Promise<void> {
  if (blocked.includes('websocket')) await session.send('Runtime.evaluate', { expression: `(${refuseSockets})()` });
}

type Paused = Protocol.Fetch.RequestPausedEvent;

function enable(session: CDPSession, patterns: Protocol.Fetch.RequestPattern[], handleAuthRequests: boolean) {
  return session.send('Fetch.enable', { patterns, handleAuthRequests });
}

/** Refuses what is blocked, and lets the rest go on, with the headers that `headersOf` gives where it gives any. */
function onPaused(
  session: CDPSession,
  { block_resources: blocked }: InterceptedRequest,
  headersOf: (paused: Paused) => Protocol.Fetch.HeaderEntry[] | undefined,
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
    const headers = headersOf(paused);
    // What cannot go on as it was asked for (or is gone) is not left waiting for ever.
    session.send('Fetch.continueRequest', { requestId, ...(headers && { headers }) }).catch(() => refuse('Failed'));
  });
}

function withHeaders(paused: Paused, headers: Record<string, string>): Protocol.Fetch.HeaderEntry[] {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const others = Object.entries(paused.request.headers).filter(([name]) => !given.has(name.toLowerCase()));
  return [...others, ...Object.entries(headers)].map(([name, value]) => ({ name, value }));
}

/** Answers each request's challenge once: a second one says that the credentials are wrong, and its page is shown. */
function onChallenge(
  session: CDPSession,
  { username, password }: NonNullable<InterceptedRequest['basic_auth']>,
  isOwn: (challenge: Protocol.Fetch.AuthChallenge) => boolean,
): void {
  const answered = new Set<string>();
  session.on('Fetch.authRequired', ({ requestId, authChallenge, request: { url } }) => {
    const ours = authChallenge.source !== 'Proxy' && authChallenge.scheme.toLowerCase() === 'basic';
    const provide = ours && isOwn(authChallenge) && isAt(url, authChallenge.origin) && !answered.has(requestId);
    answered.add(requestId);
    const authChallengeResponse = provide
      ? { response: 'ProvideCredentials' as const, username, password }
      : { response: 'CancelAuth' as const };
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined);
  });
}

async function refuseWebSockets(session: CDPSession, { block_resources: blocked }: InterceptedRequest): Promise<void> {
  if (!blocked.includes('websocket')) return;
  // The session of a frame has not asked for its `Page` events; without, no script is run in it.
  const calls = [
    session.send('Page.enable'),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${refuseSockets})()` }),
  ];
  await Promise.all(calls);
}

function isAt(url: string | undefined, origin: string): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).origin === origin;
}
