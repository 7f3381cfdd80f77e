import { ApiError } from '@capture/contract/errors';
import { hostFault } from '@capture/contract/links/link-policy';
import { findCapture } from '@capture/database/captures/find-capture';
import { databaseNow } from '@capture/database/database-clock';
import { findLinkFile, type LinkFile } from '@capture/database/links/link-renders';
import type { CaptureDependencies } from '../captures/capture.ts';
import type { KeyExchange } from '../http/exchange.ts';
import { placeholderImage } from './placeholder.ts';
import type { Link } from './read-link.ts';
import { sendLinkFile, setCaching } from './send-link-file.ts';
import { startLinkRender } from './start-link-render.ts';

/** How long a first use with a placeholder waits, milliseconds: proxies of mail clients wait little longer. */
const firstUseMs = 5_000;

/** How long a first use waits for the account's rate limit, milliseconds: a page may have many new links. */
const rateWaitMs = 30_000;

/** Time beyond the capture's own, for storing and recording it, milliseconds. */
const renderMarginMs = 20_000;

/** How long caches may keep an error, a placeholder, or an image that is being replaced, seconds. */
const replacedForS = 10;
const failedForS = 60;

/**
 * Responds to a valid link with the stored file, and renders the link again in the background when the file is too old. On the
 * first use the response is the newly rendered file, or the placeholder.
 */
export async function showLink(dependencies: CaptureDependencies, exchange: KeyExchange, link: Link): Promise<void> {
  const { storage, database, admission } = dependencies;
  const { req, res } = exchange;
  const { expires, ttl_s: ttlS } = link.parameters;
  const remainingS = expires === undefined ? Infinity : expires - databaseNow().getTime() / 1_000;
  const show = async (file: LinkFile, maxAgeS: number) => {
    refuseRedirected(file, link);
    return admission.run('linkFile', exchange.caller.accountId, () => {
      // Set only now: a cache must not keep the refusal of a request that got no slot.
      setCaching(res, maxAgeS, remainingS);
      return sendLinkFile(storage, req, res, file);
    });
  };
  const stored = await findLinkFile(database.pool, link.target);
  exchange.onlyWaits();
  if (stored) {
    const freshForS = ttlS - (databaseNow().getTime() - stored.completedAt.getTime()) / 1_000;
    if (freshForS <= 0) await renderAgain(dependencies, exchange, link);
    if (await show(stored, freshForS > 0 ? freshForS : replacedForS)) {
      dependencies.cacheResults.note('link', 'hit');
      return;
    }
  }
  const fail = (error: unknown) => {
    // This header allows no stale copies: a cache would show the error hours later.
    res.setHeader('Cache-Control', `public, max-age=${atMost(replacedForS, remainingS)}`);
    return withoutAccount(error);
  };
  let file: LinkFile | null = null;
  try {
    file = await renderNow(dependencies, exchange, link);
  } catch (error) {
    // A placeholder replaces an image that is late or failed, and no image that the policy excludes.
    const isShown = error instanceof ApiError && error.code !== 'LINK_NOT_ALLOWED';
    if (!isShown || link.parameters.placeholder === 'none') throw fail(error);
  }
  if (file && (await show(file, ttlS))) return;
  if (link.parameters.placeholder === 'none') {
    throw fail(new ApiError('NOT_FOUND', 'The file of this link was deleted. Its next use renders it again.'));
  }
  const image = placeholderImage(link.parameters.placeholder, link.size);
  res.setHeader('Cache-Control', `max-age=${atMost(failedForS, remainingS)}`);
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.type('png').send(image);
}

/** Refuses an image of a page that redirected to a host that the policy excludes. */
function refuseRedirected({ finalUrl }: LinkFile, { policy }: Link): void {
  if (finalUrl === null || !URL.canParse(finalUrl)) return;
  const fault = hostFault(policy, finalUrl);
  if (fault !== null) throw new ApiError('LINK_NOT_ALLOWED', fault);
}

const atMost = (seconds: number, remainingS: number) => Math.max(0, Math.floor(Math.min(seconds, remainingS)));

/** Starts a render for later uses. This request already has an image, so a refused render is no failure. */
async function renderAgain(dependencies: CaptureDependencies, exchange: KeyExchange, link: Link): Promise<void> {
  try {
    (await startLinkRender(dependencies, exchange, link, 0)).enqueue();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * Renders the image and waits for it.
 *
 * @returns null if a link with a placeholder takes too long; the render continues.
 * @throws {ApiError} the code with which the capture failed.
 */
async function renderNow(
  dependencies: CaptureDependencies,
  exchange: KeyExchange,
  link: Link,
): Promise<LinkFile | null> {
  const { captureWaiter, admission, database, queueWaitMs } = dependencies;
  const leave = await admission.take('captureWait', exchange.caller.accountId);
  const stop = new AbortController();
  exchange.res.once('close', () => stop.abort());
  const hasPlaceholder = link.parameters.placeholder !== 'none';
  const timer = hasPlaceholder ? setTimeout(() => stop.abort(), firstUseMs) : undefined;
  const starting = startLinkRender(dependencies, exchange, link, rateWaitMs);
  try {
    const started = hasPlaceholder ? await Promise.race([starting, aborted(stop.signal)]) : await starting;
    if (started === null) {
      // The render waits for the rate limit, and then starts for the next use.
      void starting.then(({ enqueue }) => enqueue()).catch(() => undefined);
      return null;
    }
    const { captureId, enqueue } = started;
    if (captureId !== exchange.requestId) dependencies.cacheResults.note('link', 'joined');
    const limits = { queueMs: queueWaitMs, renderMs: link.timeoutMs + renderMarginMs };
    const waiting = captureWaiter.wait(captureId, limits, stop.signal);
    enqueue();
    const end = await waiting;
    if (end !== 'ended') {
      if (hasPlaceholder || end === 'client gone') return null;
      throw new ApiError('OVERLOADED', 'The image is not ready yet. Try again later.', { retryAfterS: failedForS });
    }
    // All requests that wait for an image read it at the same moment.
    return await admission.run('viewer', exchange.caller.accountId, async () => {
      const capture = await findCapture(database.pool, captureId);
      if (capture?.status === 'failed') {
        throw new ApiError(capture.errorCode ?? 'INTERNAL', capture.errorMessage ?? 'The capture failed.');
      }
      return findLinkFile(database.pool, link.target);
    });
  } finally {
    clearTimeout(timer);
    void Promise.allSettled([starting]).then(leave);
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}

/** The message of a refused quota names the plan and numbers, which viewers of the link must not see. */
function withoutAccount(error: unknown): unknown {
  if (!(error instanceof ApiError) || !['QUOTA_EXCEEDED', 'RATE_LIMITED'].includes(error.code)) return error;
  const message = 'The account of this link has used up its quota or rate.';
  return new ApiError(error.code, message, error.retryAfterS === undefined ? {} : { retryAfterS: error.retryAfterS });
}
