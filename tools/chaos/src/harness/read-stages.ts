import type { TestedPlatform } from './tested-platform.ts';

/**
 * Reads how long captures spent in each stage, milliseconds, from the log lines of gateways and workers (`LOG_LEVEL` is
 * `info`).
 *
 * @param tookMs how long the client waited for the response of each capture, by its id.
 */
export async function readStages(
  { database, gateways, workers }: Pick<TestedPlatform, 'database' | 'gateways' | 'workers'>,
  tookMs: ReadonlyMap<string, number>,
): Promise<Record<string, number>[]> {
  const { rows } = await database.pool.query<{ id: string; ms: number }>(
    `SELECT id, (extract(epoch FROM completed_at - created_at) * 1000)::int AS ms
       FROM capture WHERE id = ANY($1) AND completed_at IS NOT NULL`,
    [[...tookMs.keys()]],
  );
  const requests = readLogLines(gateways, 'request');
  const captures = readLogLines(workers, 'capture');
  return rows.map(({ id, ms }) => {
    const { notifying = 0, ...inWorker } = captures.get(id)?.times ?? {};
    const known = Object.values(inWorker).reduce((sum, value) => sum + value, 0);
    const other = { 'other in the worker': Math.max(0, ms - known) };
    const request = requests.get(id);
    return { ...inWorker, ...other, ...(request && stagesAround(request, { ms, tookMs: tookMs.get(id) ?? 0 })) };
  });
}

/** A log line of a gateway or worker about a unit of work. */
interface LoggedWork {
  duration_ms: number;
  /** The duration of each stage of a capture, milliseconds. */
  times?: Record<string, number>;
  /** The time at which a request had passed each stage, milliseconds. */
  stages?: Record<string, number>;
}

/** Returns the log lines of one kind, by the id of their request. */
function readLogLines(services: readonly { process: { output(): string } }[], kind: string): Map<string, LoggedWork> {
  const lines = services.flatMap(({ process }) => process.output().split('\n'));
  const parsed = lines.filter((line) => line.includes(`"msg":"${kind}"`)).map((line) => JSON.parse(line));
  return new Map(parsed.map((line) => [line.request_id, line]));
}

/**
 * Returns the stages of a request before and after its capture.
 *
 * @param ms from the capture's record to its end; @param tookMs how long the client waited.
 */
function stagesAround(
  { duration_ms: durationMs, stages = {} }: LoggedWork,
  { ms, tookMs }: { ms: number; tookMs: number },
) {
  const { authenticated = 0, understood = 0, rate = 0, recorded = 0, ended = 0, read = 0 } = stages;
  return {
    'reaching the gateway': tookMs - durationMs,
    authenticating: authenticated,
    understanding: understood - authenticated,
    'taking a token': rate - understood,
    reserving: recorded - rate,
    notifying: ended - recorded - ms,
    reading: read - ended,
    sending: durationMs - read,
  };
}
