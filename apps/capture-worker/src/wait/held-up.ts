import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { waitUntil } from '../page/wait-until.ts';
import { checkEveryMs } from './view.ts';

/** Silence after which to cut off a request that blocks the parser (a script in the head, a style sheet), milliseconds. */
const blockedAfterMs = 5_000;

/** How long a page may take to load after the cut, milliseconds. */
const loadedWithinMs = 1_000;

/** Follows a page that is held up: its document is not parsed, or draws nothing. */
export class HeldUp {
  readonly #page: CapturePage;
  readonly #deadline: Deadline;
  wasCutOff = false;

  constructor(page: CapturePage, deadline: Deadline) {
    this.#page = page;
    this.#deadline = deadline;
  }

  /**
   * Waits until the document is parsed; false if it never is.
   *
   * @param end until when to wait, as `performance.now()`; `parsedBy` if the document still arrives.
   */
  async untilParsed(end: number, parsedBy: number): Promise<boolean> {
    const { activity } = this.#page;
    const limits = { deadline: this.#deadline, limitMs: checkEveryMs };
    while (!(await waitUntil(this.#page, limits, ({ document }) => document?.contentLoaded === true))) {
      const arrives = activity.requestsInFlight.some(({ type, inFrame }) => type === 'document' && !inFrame);
      if (!(await this.goesOn(arrives ? parsedBy : end))) return false;
    }
    return true;
  }

  /** Whether to wait until `end`. Cuts off a silent request, once, so that the page continues without the response. */
  async goesOn(end: number): Promise<boolean> {
    const { activity } = this.#page;
    await checkBytes(this.#page);
    const silentMs = this.#silentMs();
    // With no request in flight, the page's own scripts hold it up.
    const isStuck = silentMs >= blockedAfterMs && activity.inFlight > 0;
    if (!isStuck) return performance.now() < end && (activity.inFlight > 0 || silentMs < blockedAfterMs);
    if (this.wasCutOff) return false;
    this.wasCutOff = true;
    await this.#page.cutOff();
    const limits = { deadline: this.#deadline, limitMs: loadedWithinMs };
    await waitUntil(this.#page, limits, ({ document }) => document?.loaded === true);
    return true;
  }

  /** Whether the response to a request in flight still arrives. */
  get hasResponse(): boolean {
    return this.#page.activity.inFlight > 0 && this.#silentMs() < blockedAfterMs;
  }

  #silentMs(): number {
    const { arrivals, activity, dialogAt } = this.#page;
    return performance.now() - Math.max(arrivals.at, activity.movedAt, dialogAt);
  }
}

/** Notes whether bytes have arrived through the proxy since the last check, if that was long enough ago, or `dueAt` is past. */
export async function checkBytes({ arrivals, proxy }: CapturePage, dueAt = Number.POSITIVE_INFINITY): Promise<void> {
  const now = performance.now();
  if (now - arrivals.checkedAt < checkEveryMs && now < dueAt) return;
  arrivals.checkedAt = now;
  const { bytesIn } = (await proxy.record()).counts;
  if (bytesIn !== arrivals.bytesIn) arrivals.at = now;
  arrivals.bytesIn = bytesIn;
}
