import type { PageRequest } from '@capture/contract/options/fill-page';
import type { CoverFacts } from '@capture/page-scripts/world/quality/find-cover';
import type { MarkerFacts } from '@capture/page-scripts/world/quality/find-markers';
import type { ContentFacts } from '@capture/page-scripts/world/quality/read-content';
import type { ShownArea } from '@capture/page-scripts/world/quality/shown-box';
import { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { runInPage } from '../page/isolated-world.ts';
import type { FailedRequest } from '../page/page-activity.ts';
import { challengeMarkers } from './challenges.ts';
import { errorMarkers } from './error-screens.ts';

/** A page whose scripts do not yield is assessed by its image and status alone. */
const inspectWithinMs = 2_000;

/** A page of 20,000 nodes takes 15 to 60 ms on an idle machine, and an article 2 ms. The time is for a machine under load. */
const limits = { nodes: 20_000, ms: 400, characters: 2_000 };

/** The part of the view that a cover takes; a banner at the bottom has up to half. */
const coverShare = 0.65;

/** What one look into the page has found. */
export interface Inspection {
  content: ContentFacts;
  cover: CoverFacts;
  found: MarkerFacts;
}

/** The area of the page that a request's file shows. */
export function shownArea(request: PageRequest, medium: PageRequest['media']): ShownArea {
  if (medium === 'print') return { kind: 'page' };
  const { full_page, selector, clip } = request as {
    full_page?: boolean;
    selector?: string;
    clip?: { x: number; y: number; width: number; height: number };
  };
  if (full_page) return { kind: 'page' };
  if (selector !== undefined) return { kind: 'selector', selector };
  return clip ? { kind: 'clip', ...clip } : { kind: 'viewport' };
}

/** Whether the client asked for the failure: `block_ads`, `block_resources`. */
export const isExcused = ({ reason }: Pick<FailedRequest, 'reason'>) => reason.startsWith('net::ERR_BLOCKED_BY_CLIENT');

/** Looks into the page. Null if it does not respond in time; never rejects. */
export async function inspect(
  page: CapturePage,
  request: Pick<PageRequest, 'block_resources'>,
  area: ShownArea,
): Promise<Inspection | null> {
  if (!page.usable || !page.activity.document) return null;
  const { failures, requestsInFlight } = page.activity;
  const urlsOf = (requests: readonly Pick<FailedRequest, 'url' | 'from'>[]) =>
    requests.flatMap(({ url, from }) => [url, from]);
  const input = {
    area,
    missing: urlsOf([...failures.filter((failure) => !isExcused(failure)), ...requestsInFlight]),
    excused: urlsOf(failures.filter(isExcused)),
    excusedKinds: request.block_resources,
    limits,
    workEvent: page.workEvent,
  };
  const terms = { what: 'looking at the page', limitMs: inspectWithinMs, deadline: new Deadline(inspectWithinMs) };
  try {
    // Chromium runs them one after the other; sent together they take one round trip.
    const [content, cover, found] = await Promise.all([
      runInPage(page, 'readContent', input, terms),
      runInPage(page, 'findCover', { share: coverShare }, terms),
      runInPage(page, 'findMarkers', [...challengeMarkers, ...errorMarkers], terms),
    ]);
    return { content, cover, found };
  } catch {
    return null;
  }
}
