import { readdirSync, readFileSync } from 'node:fs';
import { readCpuMs } from './process-group.ts';
import type { WorkingPart } from './watch-memory.ts';

interface FloodWatchOptions {
  /** The CPU time of a renderer's thread that sends messages to other processes, milliseconds; null if it has ended. */
  sendingMs?: (pid: number) => number | null;
  /** Called with the process id of a renderer that floods. */
  flooding: (pid: number) => void;
}

/** Milliseconds between two checks. */
const checkEveryMs = 1_000;

/**
 * Shares of a core. With captures on every slot the main process takes 0.55, and with one page that floods it 0.85 to 1.3. No page of
 * the corpus sends for 0.06 in any second; one that floods sends for 0.2 to 0.4 (2 cores, Chromium 156).
 */
const busy = 0.6;
const sending = 0.1;

/**
 * Finds the renderers that flood the main process with messages, which Chromium counts and limits nowhere: by changes of a frame's
 * attributes, for example. The main process is busy then, and so is the renderer's thread that sends them.
 */
export class FloodWatch {
  readonly #options: FloodWatchOptions;
  /** The last check: when it was, and the CPU times then, by process. */
  #last: { at: number; mainMs: number; sentMs: Map<number, number> } | null = null;

  constructor(options: FloodWatchOptions) {
    this.#options = options;
  }

  /** @param now as `performance.now()`. */
  note(parts: readonly WorkingPart[], now: number): void {
    const last = this.#last;
    if (last && now - last.at < checkEveryMs) return;
    const main = parts.filter(({ type }) => type === 'browser');
    const mainMs = main.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
    const { sendingMs = readSendingMs, flooding } = this.#options;
    const sentMs = new Map<number, number>();
    for (const { pid, type } of parts) {
      // A thread that ends while it is read does not make the rest of its renderer's life count as one second.
      const ms = type === 'renderer' ? (sendingMs(pid) ?? last?.sentMs.get(pid)) : undefined;
      if (ms !== undefined) sentMs.set(pid, ms);
    }
    this.#last = { at: now, mainMs, sentMs };
    if (!last || mainMs - last.mainMs < busy * (now - last.at)) return;
    for (const [pid, ms] of sentMs) {
      if (ms - (last.sentMs.get(pid) ?? 0) >= sending * (now - last.at)) flooding(pid);
    }
  }
}

/** As the kernel shows it: cut off after 15 characters. */
const sendingThread = 'Chrome_ChildIOT';

function readSendingMs(pid: number): number | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`);
    const thread = threads.find((path) => readFileSync(`${path}/comm`, 'utf8').startsWith(sendingThread));
    return thread === undefined ? null : readCpuMs(readFileSync(`${thread}/stat`, 'utf8'));
  } catch {
    return null;
  }
}
