/**
 * What a capture tells of how it came about, whether it succeeded or failed. Addresses are without query and fragment,
 * which often hold what a client confides; lists and texts are cut where a page could make them grow without end.
 */
export interface Receipt {
  /** Of the page that was drawn. */
  final_url: string | null;
  /** The addresses on the way there that redirected. */
  redirects: string[];
  /** Of the page; null where there was no HTTP answer. */
  http_status: number | null;
  title: string | null;
  /** Milliseconds of each phase, null for one that was not come to. */
  timings: {
    /** From being accepted until a worker took it. */
    queue_ms: number;
    /** Until the first bytes of the page had come. */
    navigation_ms: number | null;
    /** Until the page was ready, as `wait_until` says. */
    waiting_ms: number | null;
    /** For what was done to the page: selectors, scripts, clicks, `delay_ms`, scrolling. */
    acting_ms: number | null;
    /** Drawing. */
    capture_ms: number | null;
    storing_ms: number;
  };
  /** What the waiting ended on, such as `quiet`, `load`, `stalled`. */
  wait: string | null;
  /** More than 1 where the browser let the capture down and it was made anew. */
  tries: number;
  requests: {
    total: number;
    /** Without an answer, or with one of a status from 400 on; those that were blocked are among them. */
    failed: number;
    /** Not let through: ads, `block_resources`, addresses that captures may not reach. */
    blocked: number;
    /** Bytes that came over the network. */
    bytes: number;
    /** The first 50 that failed, and why; after them those that were in flight yet (`pending`). */
    failures: { url: string; reason: string }[];
  };
  /** The first errors that the page wrote to its console or did not catch. */
  console_errors: string[];
  /** Why the script given as `js` failed. */
  script_error: string | null;
  /** What `block_ads` did, and with which lists; null where it was not asked for. */
  ads: Record<string, unknown> | null;
  /** What `block_cookie_banners` did; null where it was not asked for. */
  cookie_banner: Record<string, unknown> | null;
}
