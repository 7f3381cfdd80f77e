import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { processReport } from '@capture/contract/api/operator-responses';
import { platformVersion } from '@capture/runtime/platform-version';
import type { Redis } from 'ioredis';
import type { z } from 'zod';

/** A process's report of itself, as the operator API returns it. */
export type ProcessReport = z.output<typeof processReport>;

export type ProcessKind = ProcessReport['kind'];

/** The part that only processes of one kind report. */
export type ProcessDetail<Kind extends ProcessKind> = Extract<ProcessReport, { kind: Kind }>['detail'];

const reportEveryMs = 5_000;

/**
 * Two reports may be lost. The same time as `processAliveS` of the database, so that queues and processes agree. Redis
 * measures it, so that only its clock decides which processes are gone.
 */
const reportTtlMs = 15_000;

/** The set of process ids. Each report has a key of its own that expires. */
const idsKey = 'processes';
const keyOf = (id: string) => `process:${id}`;

export interface ReportingOptions<Kind extends ProcessKind> {
  redis: Redis;
  kind: Kind;
  /** The name of this process in the log; generated if it has none. */
  id?: string;
  detail: () => ProcessDetail<Kind>;
  /** Between two reports, milliseconds; 5,000 by default. */
  everyMs?: number;
}

/**
 * Reports this process now, every five seconds, and when Redis comes back. A report that cannot be written is dropped:
 * nothing depends on it.
 *
 * @returns a function that stops reporting and deletes the last report.
 */
export function startReporting<Kind extends ProcessKind>(options: ReportingOptions<Kind>): () => Promise<void> {
  const { redis, kind, id = `${hostname()}-${randomUUID()}`, detail, everyMs = reportEveryMs } = options;
  const started_at = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  const own = {
    id,
    kind,
    host: hostname(),
    pid: process.pid,
    version: platformVersion,
    node: process.version,
    started_at,
  };

  async function report(): Promise<void> {
    const content = {
      ...own,
      seen_at: new Date().toISOString(),
      memory_bytes: process.memoryUsage.rss(),
      detail: detail(),
    };
    await redis.multi().set(keyOf(id), JSON.stringify(content), 'PX', reportTtlMs).sadd(idsKey, id).exec();
  }
  const send = () => void report().catch(() => undefined);
  const timer = setInterval(send, everyMs);
  timer.unref();
  redis.on('ready', send);
  send();
  return async () => {
    clearInterval(timer);
    redis.off('ready', send);
    await redis
      .multi()
      .del(keyOf(id))
      .srem(idsKey, id)
      .exec()
      .catch(() => undefined);
  };
}

/**
 * The processes that reported within 15 s: by kind, then longest running first. Reports of another version that this one
 * does not understand are left out.
 *
 * @throws while Redis is unavailable.
 */
export async function readProcesses(redis: Redis): Promise<ProcessReport[]> {
  const known = await redis.smembers(idsKey);
  if (known.length === 0) return [];
  const reports = await redis.mget(known.map(keyOf));
  const gone = known.filter((_, i) => reports[i] === null);
  if (gone.length > 0) await redis.srem(idsKey, gone);
  return reports
    .flatMap((text) => {
      const report = text === null ? undefined : processReport.safeParse(JSON.parse(text)).data;
      return report ? [report] : [];
    })
    .sort((one, other) => orderOf(one).localeCompare(orderOf(other)));
}

const orderOf = ({ kind, started_at, id }: ProcessReport) => `${kind} ${started_at} ${id}`;
