import type { Page } from './programs/run-commands.ts';

/** The viewport of a screenshot, CSS pixels, unless its task has another. */
export const viewport = { width: 1_280, height: 800 } as const;

/**
 * A page to draw: in the viewport, as a full page, an element or an area. Contenders that decide how long to wait (the
 * platform, the floor) ignore `waitUntil`, `load` by default.
 */
export type ScreenshotTask = Pick<Page, 'url'> & Partial<Page>;

export interface Screenshot {
  /** The time from the call to the last byte of the image, milliseconds. */
  ms: number;
  bytes: Buffer;
}

/** The screenshots of a round. */
export interface Round {
  /** The time of the whole round, milliseconds. */
  ms: number;
  /** The size of each image in bytes, because an empty image must not win. */
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

/** A contender in a separate process. */
export interface Peer extends Contender {
  /** False once the process has ended. */
  alive(): boolean;
}

/** Takes all screenshots of a contender whose `take` takes one. */
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
