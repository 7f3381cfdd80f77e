import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { cleanupJobsQuery, secretsQuery } from '../../api/operator.ts';
import type { CleanupJobList } from '../../api/responses.ts';
import { Facts } from '../../captures/facts.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { boundedCountText, countText, durationText, spanText } from '../../ui/figures.ts';
import { Moment } from '../../ui/moment.tsx';
import { NotYet } from '../../ui/not-yet.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';

type CleanupJob = CleanupJobList['cleanup_jobs'][number];

export function CleanupJobs() {
  const { data, error, refetch } = useQuery(cleanupJobsQuery);
  if (!data) return <NotYet title="Cleanup jobs" what="the cleanup jobs" error={error} retry={refetch} />;
  return (
    <>
      <PageHeading
        title="Cleanup jobs"
        lead="Background jobs that delete expired data and recover lost work. Each runs in one process at a time."
      />
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      <Stack gap="lg">
        <BulkWork {...data} />
        <Surface>
          <DataTable
            label="Cleanup jobs"
            rows={data.cleanup_jobs}
            keyOf={({ name }) => name}
            columns={[
              {
                label: 'Cleanup job',
                cell: ({ name, owner }) => (
                  <>
                    <Text size="sm" fw={550}>
                      {name}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {owner}
                    </Text>
                  </>
                ),
              },
              { label: 'Every', fixed: true, cell: ({ every_s }) => spanText(every_s) },
              { label: 'Last run', fixed: true, cell: lastRunOf },
              { label: 'Took', end: true, fixed: true, cell: ({ last_duration_ms }) => durationText(last_duration_ms) },
              {
                label: 'Items',
                end: true,
                cell: ({ last_count }) => (last_count === null ? '–' : countText(last_count)),
              },
              {
                label: 'Outcome',
                cell: (job) => (
                  <>
                    <Status {...outcomeOf(job)} />
                    {job.last_error && (
                      <Text size="xs" mt={4}>
                        {job.last_error}
                      </Text>
                    )}
                  </>
                ),
              },
            ]}
          />
        </Surface>
      </Stack>
    </>
  );
}

/** Null hides the count, which has no meaning without owners. */
const leftText = (owners: number, count: number) => (owners === 0 ? null : boundedCountText(count));

/** Shows how much of the work on many rows, which is done in slices, is left or done. */
function BulkWork({ bulk_work: work, cleanup_jobs: cleanupJobs }: CleanupJobList) {
  const { data: secrets } = useQuery(secretsQuery);
  const running = cleanupJobs.filter((job) => outcomeOf(job).value === 'running');
  const toReencrypt = secrets?.previous ?? 0;
  const isLeft = work.changed_endpoints + work.deleted_accounts + (work.replays ?? []).length + toReencrypt > 0;
  return (
    <Surface
      title="Bulk work"
      aside={isLeft ? <Status value="in progress" tone="busy" /> : <Status value="nothing left" tone="good" />}
    >
      <Facts
        facts={{
          'Changed endpoints': countText(work.changed_endpoints),
          'Deliveries left to change': leftText(work.changed_endpoints, work.deliveries_to_change),
          'Accounts being deleted': countText(work.deleted_accounts),
          'Captures left to delete': leftText(work.deleted_accounts, work.captures_to_delete),
          'Deliveries left to delete': leftText(work.deleted_accounts, work.deliveries_to_delete),
          'Replays running':
            work.replays === null ? 'unknown: Redis is unavailable' : <Replays replays={work.replays} />,
          'Secrets left to re-encrypt': secrets?.previous_key_set ? countText(toReencrypt) : null,
          'Cleanup jobs running': running.length === 0 ? 'none' : running.map(({ name }) => name).join(', '),
        }}
      />
    </Surface>
  );
}

function Replays({ replays }: { replays: NonNullable<CleanupJobList['bulk_work']['replays']> }) {
  if (replays.length === 0) return 'none';
  return replays.map(({ account_id, webhook_id, started_at, replayed, since, reached_at }) => (
    <div key={`${account_id} ${webhook_id} ${started_at}`}>
      {webhook_id ?? account_id ?? 'all accounts'}: {countText(replayed)} replayed, up to{' '}
      <Moment at={reached_at ?? since} />
    </div>
  ));
}

function lastRunOf({ last_started_at, last_finished_at }: CleanupJob) {
  return last_started_at === null ? 'never' : <Moment at={last_finished_at ?? last_started_at} />;
}

function outcomeOf({ last_started_at, last_finished_at, last_error }: CleanupJob) {
  if (last_started_at === null) return { value: 'not run yet', tone: 'quiet' } as const;
  if (last_finished_at === null || last_finished_at < last_started_at)
    return { value: 'running', tone: 'busy' } as const;
  return last_error === null ? ({ value: 'done', tone: 'good' } as const) : ({ value: 'failed', tone: 'bad' } as const);
}
