import { type Deadline, withTimeLimit } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { BlockedRequests, blockRequests, type Judge } from './block-requests.ts';
import { FilterLibrary, type FiltersOptions, type Subject } from './filters.ts';
import { FrameSessions } from './frame-sessions.ts';
import { hideNamed } from './hide-elements.ts';
import { type BannerReport, rejectBanner } from './reject-banner.ts';

/** A call that only hands something over to the browser. */
const callWithinMs = 10_000;

/** Lists that were never parsed on this machine take three seconds; no capture waits for longer than this. */
const listsWithinMs = 15_000;

/** Of the hosts that were blocked so many are named in a receipt. */
const hostsNamed = 20;

export interface CleanRequest {
  block_ads: boolean;
  block_cookie_banners: boolean;
}

/** A list as it was used. */
export interface UsedList {
  name: string;
  version: string | null;
  /** `YYYY-MM-DD` */
  date: string;
}

/** What was done to a page, for the capture's receipt; null for what was not asked for. */
export interface CleanReport {
  ads: {
    /** Empty if there were none, or they were not ready. */
    lists: UsedList[];
    /** Why there are no lists: one sentence; else null. */
    note: string | null;
    blocked_requests: number;
    /** The hosts most of them were for, with how many. */
    blocked_hosts: Record<string, number>;
    hidden_elements: number;
  } | null;
  cookie_banner: (BannerReport & { lists: UsedList[] }) | null;
}

/** The cleaning of one page. */
export interface Cleaning {
  /**
   * Hides what the lists name and what blocked requests left empty; the first time, answers a cookie banner before. To be
   * called when the page has settled, and again when more of it has come.
   *
   * @returns whether the page was changed, so that it may have to settle again.
   * @throws what `CapturePage.step` throws.
   */
  act(deadline: Deadline): Promise<{ changed: boolean }>;
  /** Null if nothing was asked for. */
  readonly report: CleanReport | null;
}

const nothing: Cleaning = { act: async () => ({ changed: false }), report: null };

/** Cleans the pages of a worker's captures. Costs nothing until a capture asks for it. */
export class Cleaner {
  readonly #library: FilterLibrary;
  readonly #log: FiltersOptions['log'];

  constructor(options: FiltersOptions) {
    this.#library = new FilterLibrary(options);
    this.#log = options.log;
  }

  /**
   * To be called before the page goes anywhere: from then on requests that the lists name are blocked.
   *
   * @throws what `CapturePage.step` throws; never for the sake of lists.
   */
  async prepare(page: CapturePage, request: CleanRequest, deadline: Deadline): Promise<Cleaning> {
    if (!request.block_ads && !request.block_cookie_banners) return nothing;
    const [ads, banners, sessions] = await Promise.all([
      request.block_ads ? this.#lists('ads', deadline) : null,
      request.block_cookie_banners ? this.#lists('cookie banners', deadline) : null,
      page.step('a session for cleaning', callWithinMs, deadline, FrameSessions.open(page)),
    ]);
    const judges = [ads, banners].flatMap((lists) => lists?.judge ?? []);
    if (judges.length > 0) {
      await page.step('the blocking of requests', callWithinMs, deadline, blockRequests(page, sessions, judges));
    }
    return new PageCleaning(page, sessions, { ads, banners });
  }

  async #lists(subject: Subject, deadline: Deadline): Promise<Lists> {
    const limitMs = Math.min(listsWithinMs, deadline.remainingMs() / 2);
    try {
      const filters = await withTimeLimit(`reading the lists of ${subject}`, limitMs, this.#library.get(subject));
      if (filters) return { judge: { filters, blocked: new BlockedRequests() }, note: null };
      return { judge: null, note: 'No ad lists were found where the worker runs.' };
    } catch (error) {
      this.#log.warn({ err: error }, `no filters about ${subject}`);
      return { judge: null, note: 'The ad lists could not be read in time.' };
    }
  }
}

interface Lists {
  judge: Judge | null;
  note: string | null;
}

class PageCleaning implements Cleaning {
  readonly #page: CapturePage;
  readonly #sessions: FrameSessions;
  readonly #ads: Lists | null;
  readonly #banners: Lists | null;
  #hiddenAds = 0;
  #banner: BannerReport | null = null;

  constructor(page: CapturePage, sessions: FrameSessions, lists: { ads: Lists | null; banners: Lists | null }) {
    this.#page = page;
    this.#sessions = sessions;
    this.#ads = lists.ads;
    this.#banners = lists.banners;
  }

  async act(deadline: Deadline): Promise<{ changed: boolean }> {
    const rejected = this.#banners && !this.#banner ? await rejectBanner(this.#page, this.#sessions, deadline) : null;
    const hiddenAds = await hide(this.#page, this.#ads, deadline);
    const hiddenBanners = await hide(this.#page, this.#banners, deadline);
    const banner = rejected ?? this.#banner;
    const isHidden = hiddenBanners > 0 && banner?.result !== 'opted_out';
    this.#banner = banner && isHidden ? { ...banner, result: 'hidden' } : banner;
    this.#hiddenAds += hiddenAds;
    return { changed: hiddenAds > 0 || (this.#banner !== null && this.#banner.result !== 'none') };
  }

  get report(): CleanReport {
    const ads = this.#ads && {
      lists: usedLists(this.#ads),
      note: this.#ads.note,
      blocked_requests: this.#ads.judge?.blocked.count ?? 0,
      blocked_hosts: this.#ads.judge?.blocked.hosts(hostsNamed) ?? {},
      hidden_elements: this.#hiddenAds,
    };
    const banner = this.#banners && this.#banner && { ...this.#banner, lists: usedLists(this.#banners) };
    return { ads, cookie_banner: banner };
  }
}

async function hide(page: CapturePage, lists: Lists | null, deadline: Deadline): Promise<number> {
  const judge = lists?.judge;
  return judge ? hideNamed(page, judge.filters, judge.blocked.urls, deadline) : 0;
}

function usedLists({ judge }: Lists): UsedList[] {
  return (judge?.filters.lists ?? []).map(({ name, version, date }) => ({ name, version, date }));
}
