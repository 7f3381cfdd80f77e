import { queryOptions } from '@tanstack/react-query';
import { type Query, request } from './request.ts';
import type { Activity, CleanupJobList, EncryptedCount, ProcessList, QueueList, Replayable } from './responses.ts';

/** Refresh interval of cheap queries, milliseconds. */
const shortMs = 5_000;

/** Refresh interval of queries that cost more or change by the minute. */
const longMs = 15_000;

export const queuesQuery = queryOptions({
  queryKey: ['operator', 'queues'],
  queryFn: ({ signal }) => request<QueueList>('GET', '/api/operator/queues', { signal }),
  refetchInterval: shortMs,
});

export const processesQuery = queryOptions({
  queryKey: ['operator', 'processes'],
  queryFn: ({ signal }) => request<ProcessList>('GET', '/api/operator/processes', { signal }),
  refetchInterval: shortMs,
});

export const cleanupJobsQuery = queryOptions({
  queryKey: ['operator', 'cleanup-jobs'],
  queryFn: ({ signal }) => request<CleanupJobList>('GET', '/api/operator/cleanup-jobs', { signal }),
  refetchInterval: longMs,
});

/** Counting the secrets reads all of them. */
export const secretsQuery = queryOptions({
  queryKey: ['operator', 'secrets'],
  queryFn: ({ signal }) => request<EncryptedCount>('GET', '/api/operator/secrets', { signal }),
  refetchInterval: longMs,
});

export const activityQuery = (minutes: number) =>
  queryOptions({
    queryKey: ['operator', 'activity', minutes],
    queryFn: ({ signal }) => request<Activity>('GET', '/api/operator/activity', { query: { minutes }, signal }),
    refetchInterval: longMs,
  });

/** Counts the deliveries that a replay with the same query would send. */
export const replayableQuery = (query: Query) =>
  queryOptions({
    queryKey: ['operator', 'replayable', query],
    queryFn: ({ signal }) => request<Replayable>('GET', '/api/operator/deliveries/replay', { query, signal }),
  });
