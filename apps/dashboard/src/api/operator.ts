import { queryOptions } from '@tanstack/react-query';
import { type Query, request } from './request.ts';
import type { Activity, CleanupJobList, ProcessList, QueueList, Replayable } from './responses.ts';

/** What the operator's pages ask again while they are looked at, milliseconds. */
const oftenMs = 5_000;

/** What costs more to answer, or changes by the minute. */
const seldomMs = 15_000;

export const queuesQuery = queryOptions({
  queryKey: ['operator', 'queues'],
  queryFn: ({ signal }) => request<QueueList>('GET', '/api/operator/queues', { signal }),
  refetchInterval: oftenMs,
});

export const processesQuery = queryOptions({
  queryKey: ['operator', 'processes'],
  queryFn: ({ signal }) => request<ProcessList>('GET', '/api/operator/processes', { signal }),
  refetchInterval: oftenMs,
});

export const cleanupJobsQuery = queryOptions({
  queryKey: ['operator', 'cleanup-jobs'],
  queryFn: ({ signal }) => request<CleanupJobList>('GET', '/api/operator/cleanup-jobs', { signal }),
  refetchInterval: seldomMs,
});

export const activityQuery = (minutes: number) =>
  queryOptions({
    queryKey: ['operator', 'activity', minutes],
    queryFn: ({ signal }) => request<Activity>('GET', '/api/operator/activity', { query: { minutes }, signal }),
    refetchInterval: seldomMs,
  });

/** How many deliveries a replay with the same words would send again. */
export const replayableQuery = (query: Query) =>
  queryOptions({
    queryKey: ['operator', 'replayable', query],
    queryFn: ({ signal }) => request<Replayable>('GET', '/api/operator/deliveries/replay', { query, signal }),
  });
