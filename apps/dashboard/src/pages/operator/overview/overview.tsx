import { SimpleGrid, Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  activityQuery,
  cleanupJobsQuery,
  processesQuery,
  queuesQuery,
  replayableQuery,
} from '../../../api/operator.ts';
import { useOffers } from '../../../api/service.ts';
import { PageHeading } from '../../../ui/page-heading.tsx';
import { Surface } from '../../../ui/surface.tsx';
import { Waiting } from '../../../ui/waiting.tsx';
import { BusyAccounts } from './busy-accounts.tsx';
import { FailingReceivers } from './failing-receivers.tsx';
import { findIssues } from './find-issues.ts';
import { IssueList } from './issue-list.tsx';
import { KeyFigures } from './key-figures.tsx';

const dayMs = 86_400_000;

export function Overview() {
  const offers = useOffers();
  // The start time is fixed while the page is shown, so that the query key stays the same.
  const since = useMemo(() => new Date(Date.now() - dayMs).toISOString(), []);
  const [queues, processes, cleanupJobs, activity, exhausted] = useQueries({
    queries: [
      queuesQuery,
      processesQuery,
      cleanupJobsQuery,
      activityQuery(60),
      {
        ...replayableQuery({ status: 'failed', since }),
        enabled: offers?.registration === true,
        refetchInterval: 15_000,
      },
    ],
  });
  const queries = [queues, processes, cleanupJobs, activity];
  const issues = findIssues({
    queues: queues.data,
    processes: processes.data,
    cleanupJobs: cleanupJobs.data,
    activity: activity.data,
    exhausted: exhausted.data?.replayable,
    error: [...queries, exhausted].find(({ error }) => error)?.error,
    at: new Date(),
  });
  const isChecked = queries.every(({ data, error }) => data || error);
  return (
    <>
      <PageHeading title="Overview" lead="Current issues and what to do about them. Refreshes automatically." />
      <Stack gap="lg">
        {isChecked ? <IssueList issues={issues} /> : <Waiting what="Checking" />}
        {queues.data && activity.data && (
          <KeyFigures queues={queues.data} activity={activity.data} processes={processes.data} />
        )}
        {activity.data && (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
            <Surface title="Busiest accounts in the last hour">
              <BusyAccounts accounts={activity.data.accounts} />
            </Surface>
            <Surface title="Failing receivers">
              <FailingReceivers receivers={activity.data.receivers} />
            </Surface>
          </SimpleGrid>
        )}
      </Stack>
    </>
  );
}
