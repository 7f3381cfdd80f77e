// Copied, with the programs beside it, to where the peers are installed: it may import nothing of this repository.

/** What a program is asked to draw. */
export interface Page {
  url: string;
  waitUntil: 'load' | 'networkidle2';
  fullPage: boolean;
}

export type Order = { number: number } & (
  | { type: 'take'; page: Page }
  | { type: 'take all'; pages: Page[]; concurrency: number }
  | { type: 'close' }
);

export type Answer = { number: number } & (
  | { error: string }
  | { ms: number; bytes: Uint8Array }
  | { ms: number; sizes: number[] }
  | { closed: true }
);

/** How a peer draws, the way its README's readers write it. */
export interface Program {
  /** Resolves with a PNG. */
  take(page: Page): Promise<Uint8Array>;
  close(): Promise<unknown>;
}

/** What every program is started with. */
export const settings: { executablePath: string; args: string[]; concurrency: number } = JSON.parse(
  process.argv[2] ?? '{}',
);

export const viewport = { width: 1_280, height: 800 };

/**
 * Does what the bench asks for over IPC. Times are taken here, around the call alone: what a picture's way to the bench
 * costs is not the peer's.
 */
export function obey(program: Program): void {
  const end = async () => {
    await program.close().catch(() => undefined);
    process.exit(0);
  };
  process.on('disconnect', end);
  // A Ctrl-C goes to the whole group of a terminal; the bench ends this process when it is time.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', async (order: Order) => {
    const answer = await act(program, order).catch((error) => ({ number: order.number, error: String(error) }));
    process.send?.(answer, undefined, undefined, () => {
      if (order.type === 'close') process.exit(0);
    });
  });
  process.send?.({ number: 0, closed: true } satisfies Answer);
}

async function act(program: Program, order: Order): Promise<Answer> {
  const { number } = order;
  const startedAt = performance.now();
  switch (order.type) {
    case 'take': {
      const bytes = await program.take(order.page);
      return { number, ms: performance.now() - startedAt, bytes };
    }
    case 'take all': {
      const sizes: number[] = [];
      const left = order.pages.entries();
      const worker = async () => {
        for (const [index, page] of left) sizes[index] = (await program.take(page)).length;
      };
      await Promise.all(Array.from({ length: order.concurrency }, worker));
      return { number, ms: performance.now() - startedAt, sizes };
    }
    case 'close':
      await program.close();
      return { number, closed: true };
  }
}
