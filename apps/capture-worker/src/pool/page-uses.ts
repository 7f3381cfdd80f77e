import type { ChromiumProcess, TimeSpan } from '../browser/chromium-process.ts';

/**
 * How long after its end the use of a page is remembered, milliseconds. Chromium ends a page, but not its call to the GPU process.
 * That is found to be blocked within 20 s, also on a loaded machine.
 */
const rememberedForMs = 60_000;

interface Use {
  accountId: string;
  from: number;
  /** Infinite while the page is used. */
  to: number;
}

/** Which accounts have used pages of a browser, and when. */
export class PageUses {
  readonly #of = new WeakMap<ChromiumProcess, Set<Use>>();
  readonly #onBlocked: (accountIds: ReadonlySet<string>) => void;

  /** @param onBlocked called with the accounts that used a page when one began to block the GPU process of its browser. */
  constructor(onBlocked: (accountIds: ReadonlySet<string>) => void) {
    this.#onBlocked = onBlocked;
  }

  /** @returns a function to call when the page is left or gone. */
  begin(chromium: ChromiumProcess, accountId: string): () => void {
    const uses = this.#of.get(chromium) ?? this.#follow(chromium);
    const from = performance.now();
    for (const use of uses) if (use.to < from - rememberedForMs) uses.delete(use);
    const use = { accountId, from, to: Number.POSITIVE_INFINITY };
    uses.add(use);
    return () => {
      use.to = Math.min(use.to, performance.now());
    };
  }

  #follow(chromium: ChromiumProcess): Set<Use> {
    const uses = new Set<Use>();
    this.#of.set(chromium, uses);
    chromium.onGpuReplaced((began: TimeSpan) => {
      const overlapping = [...uses].filter(({ from, to }) => from <= began.to && to >= began.from);
      if (overlapping.length > 0) this.#onBlocked(new Set(overlapping.map(({ accountId }) => accountId)));
    });
    return uses;
  }
}
