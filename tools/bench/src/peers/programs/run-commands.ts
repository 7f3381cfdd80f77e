// This file is copied to the folder where the peers are installed, so it may import nothing of this repository.

/** A page for a program to draw. */
export interface Page {
  url: string;
  /** The document to draw, instead of that of a URL. */
  html?: string;
  /** The format of the file. */
  as?: 'png' | 'pdf';
  waitUntil: 'load' | 'networkidle0' | 'networkidle2';
  fullPage: boolean;
  /** The first element that matches, instead of the viewport. */
  selector?: string;
  /** An area of the page, CSS pixels, instead of the viewport. */
  clip?: { x: number; y: number; width: number; height: number };
  viewport: { width: number; height: number };
}

export type Command =
  | { type: 'ready' }
  | { type: 'take'; page: Page }
  | { type: 'take all'; pages: Page[]; concurrency: number }
  | { type: 'close' };

/** A screenshot as PNG, and how long it took. */
export interface Rendered {
  ms: number;
  bytes: Uint8Array;
}

/** A way in which a peer draws, as readers of its README write it. */
export interface Program {
  /** Resolves with a PNG. */
  take(page: Page): Promise<Uint8Array>;
  close(): Promise<unknown>;
}

/** The settings with which every program is started. */
export const settings: { executablePath: string; args: string[]; concurrency: number } = JSON.parse(
  process.argv[2] ?? '{}',
);

/**
 * Serves the benchmark's commands over IPC. Times are measured here, around the call alone, because the transfer of an image to
 * the benchmark is not the peer's cost.
 */
export function serve(program: Program): void {
  const end = async () => {
    await program.close().catch(() => undefined);
    process.exit(0);
  };
  process.on('disconnect', end);
  // Ctrl-C signals the whole process group of the terminal, but the benchmark decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('message', async ({ number, command }: { number: number; command: Command }) => {
    const reply = await run(program, command).then(
      (result) => ({ number, result }),
      (error) => ({ number, error: String(error) }),
    );
    process.send?.(reply, undefined, undefined, () => {
      if (command.type === 'close') process.exit(0);
    });
  });
}

async function run(program: Program, command: Command): Promise<unknown> {
  const startedAt = performance.now();
  switch (command.type) {
    case 'ready':
      return null;
    case 'take': {
      const bytes = await program.take(command.page);
      return { ms: performance.now() - startedAt, bytes } satisfies Rendered;
    }
    case 'take all': {
      const sizes: number[] = [];
      const remaining = command.pages.entries();
      const worker = async () => {
        for (const [index, page] of remaining) sizes[index] = (await program.take(page)).length;
      };
      await Promise.all(Array.from({ length: command.concurrency }, worker));
      return { ms: performance.now() - startedAt, sizes };
    }
    case 'close':
      await program.close();
      return null;
  }
}
