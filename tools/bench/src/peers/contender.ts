import type { Page } from './programs/run-commands.ts';

/** The viewport of a screenshot, CSS pixels, unless its task has another. */
export const viewport = { width: 1_280, height: 800 } as const;

/**
 * A page to draw: in the viewport, as a full page, an element or an area. Contenders with their own wait (the platform,
 * the floor) ignore `waitUntil`, `load` by default.
 */
export type ScreenshotTask = Pick<Page, 'url'> & Partial<Page>;

export interface Screenshot {
  /** From the call to the last byte of the image, milliseconds. */
  ms: number;
  /** The PNG. */
  bytes: Buffer;
}

/** The screenshots of a round. */
export interface Round {
  /** Of the whole round, milliseconds. */
  ms: number;
  /** Size of each image, bytes: an empty image must not win. */
  sizes: number[];
}

/** Takes screenshots of pages: the platform or a peer. */
export interface Contender {
  name: string;
  take(task: ScreenshotTask): Promise<Screenshot>;
  /** Takes all screenshots, `concurrency` at a time. */
  takeAll(tasks: readonly ScreenshotTask[], concurrency: number): Promise<Round>;
  /** The processes whose memory, with their children's, counts. */
  pids(): number[];
  close(): Promise<void>;
}

/** A contender in a process of its own. */
export interface Peer extends Contender {
  /** False once its process has ended. */
  alive(): boolean;
}

/** Takes all screenshots of a contender that takes one at a time itself. */
export async function takeRound(
  take: Contender['take'],
  tasks: readonly ScreenshotTask[],
  concurrency: number,
): Promise<Round> {
  const startedAt = performance.now();
  const sizes: number[] = [];
  await workThrough(tasks, concurrency, async (task, index) => {
    sizes[index] = (await take(task)).bytes.length;
  });
  return { ms: performance.now() - startedAt, sizes };
}

/** Runs `work` over all items, `concurrency` at a time. */
export async function workThrough<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) await work(item, index);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
