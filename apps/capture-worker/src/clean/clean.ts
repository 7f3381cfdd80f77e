import type { HiddenElements } from '@capture/page-scripts/world/clean/hide-elements';
import { type Deadline, withTimeLimit } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { BlockedRequests, type Blocker, blockRequests } from './block-requests.ts';
import { consentScript } from './consent-script.ts';
import { FilterLibrary, type FiltersOptions, type Subject } from './filters.ts';
import { FrameSessions } from './frame-sessions.ts';
import { BannerHiding } from './hide-banners.ts';
import { hideMatches } from './hide-elements.ts';
import { type BannerReport, rejectBanner } from './reject-banner.ts';

/** A call that only sets something in the browser. */
const callWithinMs = 10_000;

/** Limit for loading the lists. Parsing them for the first time on a machine takes three seconds. */
const listsWithinMs = 15_000;

/** Maximum number of blocked hosts in a receipt. */
const maxReportedHosts = 20;

/** Maximum number of hidden elements in a receipt. */
const maxReportedElements = 10;

export interface CleanRequest {
  block_ads: boolean;
  block_cookie_banners: boolean;
}

/** A filter list that was used. */
interface UsedList {
  name: string;
  version: string | null;
  /** `YYYY-MM-DD` */
  date: string;
}

/** The receipt's part about cleaning; null for what was not requested. */
export interface CleanReport {
  ads: {
    /** Empty if there were none, or they were not ready in time. */
    lists: UsedList[];
    /** One sentence if there are no lists; else null. */
    note: string | null;
    blocked_requests: number;
    /** The hosts with the most blocked requests, with their counts. */
    blocked_hosts: Record<string, number>;
    hidden_elements: number;
  } | null;
  cookie_banner:
    | (BannerReport & {
        /** What was hidden, like selectors: `div#notice.bottom`; of the platform's making, the first ten. */
        hidden: string[];
        lists: UsedList[];
      })
    | null;
}

/** The cleaning of one page. */
export interface Cleaning {
  /**
   * Hides elements that the lists name, the empty boxes of blocked requests, and cookie banners, then and later. The first
   * call rejects a cookie banner before. Called when the page has settled, and again when it has loaded more.
   *
   * @returns whether the page was changed and may have to settle again.
   * @throws what `CapturePage.step` throws.
   */
  act(deadline: Deadline): Promise<{ changed: boolean }>;
  /** Null if no cleaning was requested. */
  readonly report: CleanReport | null;
}

const noCleaning: Cleaning = { act: async () => ({ changed: false }), report: null };

/** Cleans the pages of a worker's captures. Loads nothing until a capture needs it. */
export class Cleaner {
  readonly #library: FilterLibrary;
  readonly #log: FiltersOptions['log'];

  constructor(options: FiltersOptions) {
    this.#library = new FilterLibrary(options);
    this.#log = options.log;
  }

  /**
   * Called before the page navigates: from then on, requests that match the lists are blocked.
   *
   * @throws what `CapturePage.step` throws, but never because of the lists.
   */
  async prepare(page: CapturePage, request: CleanRequest, deadline: Deadline): Promise<Cleaning> {
    if (!request.block_ads && !request.block_cookie_banners) return noCleaning;
    const [ads, banners, sessions] = await Promise.all([
      request.block_ads ? this.#lists('ads', deadline) : null,
      request.block_cookie_banners ? this.#lists('cookie banners', deadline) : null,
      page.step('opening a session for cleaning', callWithinMs, deadline, FrameSessions.open(page)),
    ]);
    const blockers = [ads, banners].flatMap((lists) => lists?.blocker ?? []);
    if (blockers.length > 0) {
      await page.step('blocking requests', callWithinMs, deadline, blockRequests(page, sessions, blockers));
    }
    return new PageCleaning(page, sessions, { ads, banners });
  }

  async #lists(subject: Subject, deadline: Deadline): Promise<Lists> {
    const limitMs = Math.min(listsWithinMs, deadline.remainingMs() / 2);
    try {
      const filters = await withTimeLimit(`reading the lists of ${subject}`, limitMs, this.#library.get(subject));
      if (filters) return { blocker: { filters, blocked: new BlockedRequests() }, note: null };
      return { blocker: null, note: 'No ad lists were found where the worker runs.' };
    } catch (error) {
      this.#log.warn({ err: error }, `could not load the filters for ${subject}`);
      return { blocker: null, note: 'The ad lists could not be read in time.' };
    }
  }
}

interface Lists {
  blocker: Blocker | null;
  note: string | null;
}

const noLists: Lists = { blocker: null, note: null };

class PageCleaning implements Cleaning {
  readonly #page: CapturePage;
  readonly #sessions: FrameSessions;
  readonly #ads: Lists | null;
  readonly #banners: Lists | null;
  readonly #hiding: BannerHiding;
  #hiddenAds = 0;
  /** By the lists. */
  readonly #hiddenBanners: string[] = [];
  #banner: BannerReport | null = null;

  constructor(page: CapturePage, sessions: FrameSessions, lists: { ads: Lists | null; banners: Lists | null }) {
    this.#page = page;
    this.#sessions = sessions;
    this.#ads = lists.ads;
    this.#banners = lists.banners;
    this.#hiding = new BannerHiding(page, sessions);
  }

  async act(deadline: Deadline): Promise<{ changed: boolean }> {
    const isFirst = this.#banner === null;
    this.#banner ??= this.#banners && (await rejectBanner(this.#page, this.#sessions, deadline));
    const ads = await hide(this.#page, this.#ads, deadline);
    const banners = await hide(this.#page, this.#banners, deadline);
    this.#hiddenAds += ads.count;
    this.#hiddenBanners.push(...banners.names);
    const isChanged = this.#banner !== null && (await this.#hideBanners(this.#banner, deadline));
    const isRejected = isFirst && this.#banner !== null && this.#banner.result !== 'none';
    return { changed: ads.count > 0 || banners.count > 0 || isChanged || isRejected };
  }

  async #hideBanners({ result }: BannerReport, deadline: Deadline): Promise<boolean> {
    const stopClicks = result === 'unfinished' || result === 'failed';
    return this.#hiding.hide(await consentScript(), stopClicks, deadline);
  }

  get report(): CleanReport {
    const ads = this.#ads && {
      lists: usedLists(this.#ads),
      note: this.#ads.note,
      blocked_requests: this.#ads.blocker?.blocked.count ?? 0,
      blocked_hosts: this.#ads.blocker?.blocked.hosts(maxReportedHosts) ?? {},
      hidden_elements: this.#hiddenAds,
    };
    const hidden = [...new Set([...this.#hiddenBanners, ...this.#hiding.names])].slice(0, maxReportedElements);
    const banner = this.#banners && this.#banner;
    const isHidden = hidden.length > 0 && banner?.result !== 'opted_out';
    const cookie_banner = banner && {
      ...banner,
      ...(isHidden ? { result: 'hidden' as const } : {}),
      hidden,
      lists: usedLists(this.#banners ?? noLists),
    };
    return { ads, cookie_banner };
  }
}

async function hide(page: CapturePage, lists: Lists | null, deadline: Deadline): Promise<HiddenElements> {
  const blocker = lists?.blocker;
  return blocker ? hideMatches(page, blocker.filters, blocker.blocked.urls, deadline) : { count: 0, names: [] };
}

function usedLists({ blocker }: Lists): UsedList[] {
  return (blocker?.filters.lists ?? []).map(({ name, version, date }) => ({ name, version, date }));
}
