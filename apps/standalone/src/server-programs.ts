import path from 'node:path';
import type { RunningServer } from '@capture/provisioning/guarded-process';
import { type PostgresOptions, type RunningPostgres, startPostgres } from '@capture/provisioning/postgres';
import type { ProcessTable } from '@capture/provisioning/process-table';
import { type RedisOptions, startRedis } from '@capture/provisioning/redis';
import { leftoverTimeouts } from './leftovers.ts';
import type { Program, RunningProgram } from './supervisor.ts';

type SuppliedHere = 'logFile' | 'linger' | 'spawned' | 'aborted';

/** The parts that both embedded servers use. */
export interface ServerSurroundings {
  logs: string;
  table: ProcessTable;
}

/** The embedded Postgres as a program of the supervisor. `onReady` is called after each start. */
export function postgresProgram(
  options: Omit<PostgresOptions, SuppliedHere>,
  { logs, table }: ServerSurroundings,
  onReady: (server: RunningPostgres) => void,
): Program {
  return serverProgram('postgres', table, async (spawned, aborted, linger) => {
    const logFile = path.join(logs, 'postgres.log');
    const server = await startPostgres({ ...options, logFile, linger, spawned, aborted });
    onReady(server);
    return server;
  });
}

/** The embedded Redis as a program of the supervisor. `onReady` is called after each start. */
export function redisProgram(
  options: Omit<RedisOptions, SuppliedHere>,
  { logs, table }: ServerSurroundings,
  onReady: (server: RunningServer) => void,
): Program {
  return serverProgram('redis', table, async (spawned, aborted, linger) => {
    const logFile = path.join(logs, 'redis.log');
    const server = await startRedis({ ...options, logFile, linger, spawned, aborted });
    onReady(server);
    return server;
  });
}

/** Redis stops first, then Postgres, the source of truth. */
const stages = { postgres: 1, redis: 2 };

function serverProgram(
  name: 'postgres' | 'redis',
  table: ProcessTable,
  start: (
    spawned: (guardPid: number) => void,
    aborted: AbortSignal,
    linger: { processTable: string; forMs: number },
  ) => Promise<RunningProgram>,
): Program {
  return {
    name,
    stage: stages[name],
    async start(aborted) {
      let guardPid = 0;
      const spawned = (pid: number) => {
        guardPid = pid;
        table.add(name, 'guard', pid);
      };
      try {
        const server = await start(spawned, aborted, { processTable: table.file, forMs: leftoverTimeouts.services });
        void server.exited.then(() => table.remove(guardPid));
        return server;
      } catch (error) {
        table.remove(guardPid);
        throw error;
      }
    },
  };
}
