import type { Deadline } from '../deadline.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { OwnerTurns } from './owner-turns.ts';

/** How long the browser for accounts whose pages flood stays without a page, milliseconds. */
const defaultSeparateIdleMs = 10_000;

/**
 * How long others wait for a browser of a single page, milliseconds. Most captures take 1 to 3 s there. A page that takes two minutes
 * would hold one for as long, and captures that need one would fail.
 */
const defaultWaitedForMs = 3_000;

/** Whose pages these are: accounts whose pages flood wait for each other only. */
export type PageOwners = 'all' | 'flooding';

/** A page that needs a browser of its own. */
export interface IsolatedPage {
  /** Its account. */
  owner: string;
  owners: PageOwners;
  deadline: Pick<Deadline, 'passed'>;
}

interface BrowsersApartOptions {
  launch(reason: 'isolated' | 'separate', owners: PageOwners): Promise<ChromiumProcess>;
  /** Keeps a Chromium alive until the returned function is called. */
  use(chromium: ChromiumProcess): () => void;
  /** How many pages it has, and other uses. */
  usersOf(chromium: ChromiumProcess): number;
  /** Aborted when the worker closes. */
  closing: AbortSignal;
  /** Browsers for a single page that start before others wait; 2 by default. */
  isolatedAtOnce?: number | undefined;
  waitedForMs?: number | undefined;
  separateIdleMs?: number | undefined;
}

/** The Chromium for accounts whose pages flood. */
interface SeparateChromium {
  launching: Promise<ChromiumProcess>;
  chromium?: ChromiumProcess;
  /** Keeps it for the next page. */
  keep(): void;
}

/** The browsers beside the one for all pages: each for a single page, and one for the accounts whose pages flood. */
export class BrowsersApart {
  readonly #options: BrowsersApartOptions;
  /** Those for a single page that others wait for, including those that are being started. */
  readonly #isolated: Record<PageOwners, OwnerTurns>;
  /** Moves the turn of a browser to those of the accounts whose pages flood. */
  readonly #onBlamed = new WeakMap<ChromiumProcess, () => void>();
  #separate: SeparateChromium | null = null;

  constructor(options: BrowsersApartOptions) {
    this.#options = options;
    const { isolatedAtOnce = 2 } = options;
    this.#isolated = { all: new OwnerTurns(isolatedAtOnce), flooding: new OwnerTurns(isolatedAtOnce) };
  }

  /** Accounts take turns. None is started after the deadline. */
  async startIsolated({ owner, owners, deadline }: IsolatedPage): Promise<ChromiumProcess> {
    const { launch, closing, waitedForMs = defaultWaitedForMs } = this.#options;
    const end = await this.#isolated[owners].next(owner);
    try {
      closing.throwIfAborted();
      if (deadline.passed) throw new Error('no browser for a single page was free in time');
      const chromium = await launch('isolated', owners);
      void chromium.ended.then(end);
      if (owners === 'all') {
        setTimeout(end, waitedForMs).unref();
        this.#onBlamed.set(chromium, () => {
          end();
          void chromium.ended.then(this.#isolated.flooding.begin());
        });
      }
      return chromium;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Its page floods or blocks it: others that need a browser of their own no longer wait for its end. */
  blame(chromium: ChromiumProcess): void {
    this.#onBlamed.get(chromium)?.();
  }

  async separate(): Promise<ChromiumProcess> {
    for (;;) {
      this.#options.closing.throwIfAborted();
      this.#separate ??= this.#launchSeparate();
      const separate = this.#separate;
      const chromium = await separate.launching;
      if (chromium.alive) {
        separate.keep();
        return chromium;
      }
      this.#leave(separate);
    }
  }

  /** If it is the one for accounts whose pages flood, the next page starts another one, and this one ends with its last page. */
  leave(chromium: ChromiumProcess): void {
    if (this.#separate?.chromium === chromium) this.#separate = null;
  }

  #leave(separate: SeparateChromium): void {
    if (this.#separate === separate) this.#separate = null;
  }

  #launchSeparate(): SeparateChromium {
    const { launch, use, usersOf, separateIdleMs = defaultSeparateIdleMs } = this.#options;
    const separate: SeparateChromium = { launching: launch('separate', 'flooding'), keep: () => {} };
    separate.launching.then(
      (chromium) => {
        separate.chromium = chromium;
        const release = use(chromium);
        const idle = setTimeout(() => {
          // Besides this use.
          if (usersOf(chromium) > 1) return void idle.refresh();
          this.#leave(separate);
          release();
        }, separateIdleMs);
        separate.keep = () => void idle.refresh();
        void chromium.ended.then(() => clearTimeout(idle));
      },
      () => this.#leave(separate),
    );
    return separate;
  }
}
