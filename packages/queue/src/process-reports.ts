import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { processReport } from '@capture/contract/api/operator-responses';
import type { Redis } from 'ioredis';
import type { z } from 'zod';

/** What a process says of itself, as the operator's API answers it. */
export type ProcessReport = z.output<typeof processReport>;

export type ProcessKind = ProcessReport['kind'];

/** What only processes of one kind have to say. */
export type ProcessDetail<Kind extends ProcessKind> = Extract<ProcessReport, { kind: Kind }>['detail'];

const reportEveryMs = 5_000;

/** Two reports may be lost. Redis keeps this time, so that no clock but its own decides who is gone. */
const goneAfterMs = 15_000;

/** The ids of those who may be there; what each said stands under a key of its own, which goes with them. */
const ids = 'processes';
const keyOf = (id: string) => `process:${id}`;

/** The platform's; all its packages bear the same one. */
const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

export interface ReportingOptions<Kind extends ProcessKind> {
  redis: Redis;
  kind: Kind;
  /** What the log calls this process; made here where it has no name there. */
  id?: string;
  detail: () => ProcessDetail<Kind>;
  /** Between two reports, milliseconds; 5,000 unless given. */
  everyMs?: number;
}

/**
 * Reports this process now, every five seconds, and when Redis comes back. One report that cannot be written is dropped:
 * nothing depends on it.
 *
 * @returns what stops it, and takes the last report back.
 */
export function startReporting<Kind extends ProcessKind>(options: ReportingOptions<Kind>): () => Promise<void> {
  const { redis, kind, id = `${hostname()}-${randomUUID()}`, detail, everyMs = reportEveryMs } = options;
  const started_at = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  const own = { id, kind, host: hostname(), pid: process.pid, version, node: process.version, started_at };

  async function report(): Promise<void> {
    const said = {
      ...own,
      seen_at: new Date().toISOString(),
      memory_bytes: process.memoryUsage.rss(),
      detail: detail(),
    };
    await redis.multi().set(keyOf(id), JSON.stringify(said), 'PX', goneAfterMs).sadd(ids, id).exec();
  }
  const say = () => void report().catch(() => undefined);
  const timer = setInterval(say, everyMs);
  timer.unref();
  redis.on('ready', say);
  say();
  return async () => {
    clearInterval(timer);
    redis.off('ready', say);
    await redis
      .multi()
      .del(keyOf(id))
      .srem(ids, id)
      .exec()
      .catch(() => undefined);
  };
}

/**
 * The processes that reported themselves within 15 s: by kind, then the longest running first. What another version says
 * in words that this one does not know is left out.
 *
 * @throws while Redis is away.
 */
export async function readProcesses(redis: Redis): Promise<ProcessReport[]> {
  const known = await redis.smembers(ids);
  if (known.length === 0) return [];
  const said = await redis.mget(known.map(keyOf));
  const gone = known.filter((_, i) => said[i] === null);
  if (gone.length > 0) await redis.srem(ids, gone);
  return said
    .flatMap((text) => {
      const report = text === null ? undefined : processReport.safeParse(JSON.parse(text)).data;
      return report ? [report] : [];
    })
    .sort((one, other) => orderOf(one).localeCompare(orderOf(other)));
}

const orderOf = ({ kind, started_at, id }: ProcessReport) => `${kind} ${started_at} ${id}`;
