import { Group, RingProgress, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { DailyUsage } from '../../api/responses.ts';
import { useAccount } from '../../app/session-context.ts';
import { Facts } from '../../captures/facts.tsx';
import { countText, shareText } from '../../ui/figures.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { DailyChart } from './daily-chart.tsx';

export function Usage() {
  const [days, setDays] = useState('30');
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', days],
    queryFn: ({ signal }) => request<DailyUsage>('GET', '/api/v1/usage', { query: { days }, signal }),
  });
  return (
    <>
      <PageHeading title="Usage" lead="Only completed captures count. Failed and cached captures are free." />
      <Stack gap="lg">
        <Surface title="This month">
          <Month />
        </Surface>
        <Surface
          title="By day"
          aside={
            <SegmentedControl
              size="xs"
              aria-label="Period"
              value={days}
              onChange={setDays}
              data={[
                { value: '7', label: '7 days' },
                { value: '30', label: '30 days' },
                { value: '90', label: '90 days' },
              ]}
            />
          }
        >
          {error ? (
            <ProblemNote error={error} retry={() => void refetch()} />
          ) : data ? (
            <DailyChart days={data.days} />
          ) : (
            <Waiting what="Loading usage" />
          )}
        </Surface>
      </Stack>
    </>
  );
}

const monthText = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayText = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

function Month() {
  const { plan, usage } = useAccount();
  const { used, reserved, limit, resets_at, month } = usage;
  const share = (count: number) => (limit === null || limit === 0 ? 0 : (count / limit) * 100);
  const sections = [
    { value: share(used), color: 'pine.6' },
    { value: share(reserved), color: 'pine.3' },
  ].filter(({ value }) => value > 0);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xl" maw={720} style={{ alignItems: 'center' }}>
      <Group justify="center">
        <RingProgress
          size={180}
          thickness={14}
          roundCaps
          rootColor="var(--quiet-ground)"
          sections={sections}
          aria-hidden
          label={
            <Stack gap={0} align="center">
              <Text fz={28} fw={700} lh={1.1}>
                {limit === null ? '∞' : shareText(share(used + reserved))}
              </Text>
              <Text size="xs" c="dimmed">
                {limit === null ? 'unlimited' : 'used'}
              </Text>
            </Stack>
          }
        />
      </Group>
      <Facts
        facts={{
          Plan: plan,
          Month: monthText.format(new Date(`${month}-01`)),
          Used: countText(used),
          'In progress': countText(reserved),
          Remaining: limit === null ? 'unlimited' : countText(Math.max(0, limit - used - reserved)),
          Quota: limit === null ? 'unlimited' : countText(limit),
          Resets: `${dayText.format(new Date(resets_at))}, 00:00 UTC`,
        }}
      />
    </SimpleGrid>
  );
}
