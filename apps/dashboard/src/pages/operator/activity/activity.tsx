import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { activityQuery } from '../../../api/operator.ts';
import type { Activity } from '../../../api/responses.ts';
import { chartColors } from '../../../app/theme.ts';
import { PageHeading } from '../../../ui/page-heading.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Surface } from '../../../ui/surface.tsx';
import { Waiting } from '../../../ui/waiting.tsx';
import { bucketsOf } from './buckets.ts';
import { OverTime } from './over-time.tsx';

const spans = [
  { value: '60', label: '1 hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: '24 hours' },
];

export function ActivityPage() {
  const [span, setSpan] = useState('60');
  const { data, error, refetch } = useQuery(activityQuery(Number(span)));
  return (
    <>
      <PageHeading
        title="Activity"
        lead="Captures, durations and delivery attempts over time."
        actions={<SegmentedControl size="xs" aria-label="Period" value={span} onChange={setSpan} data={spans} />}
      />
      <Stack gap="lg">
        {error && <ProblemNote error={error} retry={() => void refetch()} />}
        {data ? <Charts minutes={data.minutes} /> : !error && <Waiting what="Loading activity" />}
      </Stack>
    </>
  );
}

function Charts({ minutes }: Pick<Activity, 'minutes'>) {
  const { buckets, bucketMinutes } = bucketsOf(minutes);
  const bucket = bucketMinutes === 1 ? 'minute' : `${bucketMinutes} minutes`;
  const keepsAttempts = minutes.some(({ deliveries_failed }) => deliveries_failed !== null);
  return (
    <>
      <Surface title={`Captures per ${bucket}`}>
        <OverTime
          buckets={buckets}
          kind="counts"
          series={[
            { name: 'completed', label: 'Completed', color: chartColors.completed },
            { name: 'failed', label: 'Failed', color: chartColors.failed },
            { name: 'cancelled', label: 'Cancelled', color: chartColors.cancelled },
          ]}
        />
      </Surface>
      <Surface title="Capture and queue times">
        <Text size="sm" c="dimmed" mb="sm">
          Time on a browser page, and the time that synchronous captures waited for one. Batch items wait by design.
          {bucketMinutes > 1 && ` Worst minute of each ${bucketMinutes}.`}
        </Text>
        <OverTime
          buckets={buckets}
          kind="durations"
          series={[
            { name: 'p50_ms', label: 'p50', color: chartColors.cached },
            { name: 'p95_ms', label: 'p95', color: chartColors.completed },
            { name: 'waited_p95_ms', label: 'Queued, p95', color: chartColors.waiting },
          ]}
        />
      </Surface>
      {keepsAttempts && (
        <Surface title={`Delivery attempts per ${bucket}`}>
          <OverTime
            buckets={buckets}
            kind="counts"
            series={[
              { name: 'deliveries_succeeded', label: 'Succeeded', color: chartColors.completed },
              { name: 'deliveries_failed', label: 'Failed', color: chartColors.failed },
            ]}
          />
        </Surface>
      )}
    </>
  );
}
