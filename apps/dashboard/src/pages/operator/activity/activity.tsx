import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { activityQuery } from '../../../api/operator.ts';
import type { Activity } from '../../../api/responses.ts';
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

/** How much is captured and delivered, and how long it takes. */
export function ActivityPage() {
  const [span, setSpan] = useState('60');
  const { data, error, refetch } = useQuery(activityQuery(Number(span)));
  return (
    <>
      <PageHeading
        title="Activity"
        lead="What was captured and delivered, and how long it took."
        actions={<SegmentedControl size="xs" aria-label="How far back" value={span} onChange={setSpan} data={spans} />}
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
  const each = bucketMinutes === 1 ? 'a minute' : `${bucketMinutes} minutes`;
  const keepsAttempts = minutes.some(({ deliveries_failed }) => deliveries_failed !== null);
  return (
    <>
      <Surface title={`Captures in ${each}`}>
        <OverTime
          buckets={buckets}
          kind="counts"
          series={[
            { name: 'completed', label: 'Completed', color: '#17998a' },
            { name: 'failed', label: 'Failed', color: '#d2604a' },
            { name: 'cancelled', label: 'Cancelled', color: '#9aa6a5' },
          ]}
        />
      </Surface>
      <Surface title="How long captures take, and wait">
        <Text size="sm" c="dimmed" mb="sm">
          On a page; and what single captures waited for one, which items of a batch do by design.
          {bucketMinutes > 1 && ` The worst minute of each ${bucketMinutes}.`}
        </Text>
        <OverTime
          buckets={buckets}
          kind="durations"
          series={[
            { name: 'p50_ms', label: 'Half of them', color: '#7fb6dd' },
            { name: 'p95_ms', label: '95 in 100', color: '#17998a' },
            { name: 'waited_p95_ms', label: 'Waited, 95 in 100', color: '#c98a1b' },
          ]}
        />
      </Surface>
      {keepsAttempts && (
        <Surface title={`Attempts at deliveries in ${each}`}>
          <OverTime
            buckets={buckets}
            kind="counts"
            series={[
              { name: 'deliveries_succeeded', label: 'Taken', color: '#17998a' },
              { name: 'deliveries_failed', label: 'Failed', color: '#d2604a' },
            ]}
          />
        </Surface>
      )}
    </>
  );
}
