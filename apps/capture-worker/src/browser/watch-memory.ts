import { readdirSync, readFileSync } from 'node:fs';
import type { Logger } from '@capture/runtime/service/log';
import { type MemoryLimits, memoryCheckEveryMs } from '../limits.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { lowerRenderer } from './priorities.ts';
import { kill, type Member, readMember } from './process-group.ts';

/** One of Chromium's processes and its memory in bytes. */
interface ChromiumPart {
  pid: number;
  /** `renderer`, `gpu-process`, `utility`, …; `browser` for the process without a `--type`. */
  type: string;
  resident: number;
  /** The resident memory that is not shared with other processes. */
  own: number;
}

interface MeasuredPart extends ChromiumPart, Member {}

/** A process of Chromium with the CPU time since its start, milliseconds. */
export type WorkingPart = Pick<MeasuredPart, 'pid' | 'type' | 'cpuMs'>;

/** Linux counts memory in pages, of 4 KiB wherever Chromium runs. */
const pageBytes = 4_096;

/** After so many reads foreign processes are checked again, since a process of the group may have reused an id. */
const forgetForeignAfterReads = 100;

interface MemoryWatch {
  chromium: Pick<ChromiumProcess, 'pid' | 'ended'>;
  log: Pick<Logger, 'warn'>;
  limits(): MemoryLimits;
  /** Called when a process that the browser needs is too large. */
  tooLarge(): void;
  /** Called after each read with all processes (none without `/proc`), and their memory without shared memory, bytes. */
  measured?(parts: readonly WorkingPart[], ownBytes: number): void;
}

/**
 * Kills processes that take more memory than pages need: a renderer (its page crashes, and the capture fails with
 * `RENDERING_FAILED`) or the GPU process (Chromium starts another, and pages render again). Reports a main process or service
 * that is too large. Lowers the priority of renderers as their CPU time grows. Reads `/proc`, which works even when the browser
 * is too busy to respond. Where there is no `/proc` (macOS), only V8's heap has a limit.
 *
 * @returns a function that stops the watch.
 */
export function watchMemory({ chromium, log, limits, tooLarge, measured = () => undefined }: MemoryWatch): () => void {
  const members = new GroupMembers(chromium.pid);
  const timer = setInterval(() => {
    const parts = process.platform === 'linux' ? members.read() : [];
    measured(parts, ownOf(parts));
    for (const part of parts) if (part.type === 'renderer') lowerRenderer(part.pid, chromium.pid, part);
    for (const part of chooseTooLarge(parts, limits())) {
      const { pid, type, resident } = part;
      log.warn(
        { browser_pid: chromium.pid, process_pid: pid, type, megabytes: Math.round(resident / 1024 ** 2) },
        'a process of the browser is too large; killing it',
      );
      if (isNeededByAll(type)) tooLarge();
      else kill(pid);
    }
  }, memoryCheckEveryMs);
  timer.unref();
  const stop = () => clearInterval(timer);
  void chromium.ended.then(stop);
  return stop;
}

/** Chooses the processes to kill: each over its limit, or the largest if the total is over the limit. */
export function chooseTooLarge(parts: readonly ChromiumPart[], limits: MemoryLimits): ChromiumPart[] {
  const limitOf = (type: string) =>
    type === 'renderer' ? limits.renderer : type === 'gpu-process' ? limits.drawing : limits.browser;
  const tooLarge = parts.filter(({ type, resident }) => resident > limitOf(type));
  if (tooLarge.length > 0) return tooLarge;
  if (ownOf(parts) <= limits.total) return [];
  return [...parts].sort((one, other) => other.own - one.own).slice(0, 1);
}

const ownOf = (parts: readonly ChromiumPart[]) => parts.reduce((sum, { own }) => sum + own, 0);

/** Whether the browser needs the process to go on: the main process, or a service that all pages use. */
function isNeededByAll(type: string): boolean {
  return type !== 'renderer' && type !== 'gpu-process';
}

/** Finds the processes of a group without reading every process of the machine each time. */
class GroupMembers {
  readonly #leader: number;
  readonly #types = new Map<string, string>();
  #foreign = new Set<string>();
  #reads = 0;

  constructor(leader: number) {
    this.#leader = leader;
  }

  read(): MeasuredPart[] {
    this.#reads += 1;
    if (this.#reads % forgetForeignAfterReads === 0) this.#foreign.clear();
    const parts: MeasuredPart[] = [];
    for (const name of readdirSync('/proc')) {
      if (this.#foreign.has(name) || !/^\d+$/.test(name)) continue;
      const part = this.#readOne(name);
      if (part) parts.push(part);
    }
    return parts;
  }

  #readOne(name: string): MeasuredPart | null {
    const member = readMember(name, this.#leader);
    if (!member) {
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
        ...member,
      };
    } catch {
      return null;
    }
  }

  #typeOf(name: string): string {
    const known = this.#types.get(name);
    if (known !== undefined && known !== 'zygote') return known;
    // A renderer starts as a copy of the zygote. Processes that the zygote starts separate their arguments by spaces.
    const type = /[\0 ]--type=([\w-]+)/.exec(readFileSync(`/proc/${name}/cmdline`, 'latin1'))?.[1] ?? 'browser';
    this.#types.set(name, type);
    return type;
  }
}
