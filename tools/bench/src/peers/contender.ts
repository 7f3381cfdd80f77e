/** The size of every picture here, CSS pixels. */
export const viewport = { width: 1_280, height: 800 } as const;

export interface Shot {
  url: string;
  /** `load` unless given; who has a way of their own (we, the floor) does not look at it. */
  waitUntil?: 'load' | 'networkidle2';
  fullPage?: boolean;
}

export interface Taken {
  /** From the call until the picture's bytes were there, milliseconds. */
  ms: number;
  /** The picture, a PNG. */
  bytes: Buffer;
}

/** Captures of a whole round. */
export interface Round {
  /** Of all of them together, milliseconds. */
  ms: number;
  /** Bytes of each picture: nobody wins by drawing nothing. */
  sizes: number[];
}

/** Somebody who takes pictures of pages: we, and those we are compared with. */
export interface Contender {
  name: string;
  take(shot: Shot): Promise<Taken>;
  /** Takes all of them, `concurrency` at a time. */
  takeAll(shots: readonly Shot[], concurrency: number): Promise<Round>;
  /** Whose processes (and their children) its memory is. */
  pids(): number[];
  close(): Promise<void>;
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
