import { readdirSync, readFileSync } from 'node:fs';
import type { Logger } from '@capture/runtime/log';
import { type MemoryLimits, memoryLimits, memoryLookEveryMs } from '../limits.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { isMember } from './process-group.ts';

/** A process of Chromium's, and the memory that it takes, bytes. */
export interface ChromiumPart {
  pid: number;
  /** `renderer`, `gpu-process`, `utility`, …; `browser` for what has no `--type`. */
  type: string;
  resident: number;
  /** What of it is shared with no other process. */
  own: number;
}

/** Linux counts memory in pages; 4 KiB wherever Chromium runs. */
const pageBytes = 4_096;

/** Foreign processes are looked at again after so many looks, in case that one of ours has their number by now. */
const looksOfForeign = 100;

/**
 * Ends what takes more memory than pages need: a renderer (its page crashes, and its capture fails with
 * `RENDERING_FAILED`), the process that draws for all (Chromium starts another, and pages draw again), or, where the main
 * process is filled, the browser. `/proc` is read, and nobody asked, so that a browser that is too busy to answer is
 * watched as well; where there is none (macOS) only V8's heap has a limit.
 *
 * @param onMeasured told each time what all its processes take, what they share not counted, bytes.
 * @returns stops it.
 */
export function watchMemory(
  chromium: Pick<ChromiumProcess, 'pid' | 'kill' | 'ended'>,
  log: Pick<Logger, 'warn'>,
  limits: MemoryLimits = memoryLimits(),
  onMeasured: (bytes: number) => void = () => undefined,
): () => void {
  if (process.platform !== 'linux') return () => undefined;
  const members = new GroupMembers(chromium.pid);
  const timer = setInterval(() => {
    const parts = members.read();
    onMeasured(ownOf(parts));
    for (const part of chooseTooLarge(parts, limits)) {
      const { pid, type, resident } = part;
      log.warn(
        { pid, type, megabytes: Math.round(resident / 1024 ** 2) },
        'a process of the browser is too large; it is ended',
      );
      if (isOfAll(type)) chromium.kill();
      else kill(pid);
    }
  }, memoryLookEveryMs);
  timer.unref();
  const stop = () => clearInterval(timer);
  void chromium.ended.then(stop);
  return stop;
}

/** The processes that are to be ended: those over their own limit, or, where all together are, the one that has the most. */
export function chooseTooLarge(parts: readonly ChromiumPart[], limits: MemoryLimits): ChromiumPart[] {
  const limitOf = (type: string) =>
    type === 'renderer' ? limits.renderer : type === 'gpu-process' ? limits.drawing : limits.browser;
  const tooLarge = parts.filter(({ type, resident }) => resident > limitOf(type));
  if (tooLarge.length > 0) return tooLarge;
  if (ownOf(parts) <= limits.together) return [];
  return [...parts].sort((one, other) => other.own - one.own).slice(0, 1);
}

const ownOf = (parts: readonly ChromiumPart[]) => parts.reduce((sum, { own }) => sum + own, 0);

/** Without it there is no browser: its main process, or a service that all its pages use. */
function isOfAll(type: string): boolean {
  return type !== 'renderer' && type !== 'gpu-process';
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The processes of a group, found without looking at every process of the machine each time. */
class GroupMembers {
  readonly #leader: number;
  readonly #types = new Map<string, string>();
  #foreign = new Set<string>();
  #looks = 0;

  constructor(leader: number) {
    this.#leader = leader;
  }

  read(): ChromiumPart[] {
    this.#looks += 1;
    if (this.#looks % looksOfForeign === 0) this.#foreign.clear();
    const parts: ChromiumPart[] = [];
    for (const name of readdirSync('/proc')) {
      if (this.#foreign.has(name) || !/^\d+$/.test(name)) continue;
      const part = this.#readOne(name);
      if (part) parts.push(part);
    }
    return parts;
  }

  #readOne(name: string): ChromiumPart | null {
    if (!isMember(name, this.#leader)) {
      this.#types.delete(name);
      this.#foreign.add(name);
      return null;
    }
    try {
      const [, resident = 0, shared = 0] = readFileSync(`/proc/${name}/statm`, 'utf8').split(' ').map(Number);
      return {
        pid: Number(name),
        type: this.#typeOf(name),
        resident: resident * pageBytes,
        own: (resident - shared) * pageBytes,
      };
    } catch {
      return null;
    }
  }

  #typeOf(name: string): string {
    const known = this.#types.get(name);
    if (known !== undefined && known !== 'zygote') return known;
    // A renderer begins as a copy of the zygote; what the zygote starts writes its arguments with spaces between them.
    const type = /[\0 ]--type=([\w-]+)/.exec(readFileSync(`/proc/${name}/cmdline`, 'latin1'))?.[1] ?? 'browser';
    this.#types.set(name, type);
    return type;
  }
}
