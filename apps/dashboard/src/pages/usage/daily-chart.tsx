import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { DailyUsage } from '../../api/responses.ts';
import { chartColors } from '../../app/theme.ts';
import { ChartOrTable } from '../../ui/chart-or-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countText } from '../../ui/figures.ts';
import { IconChartBar } from '../../ui/icons.tsx';

type Day = DailyUsage['days'][number];

const outcomes = [
  { name: 'completed', label: 'Completed', color: chartColors.completed },
  { name: 'cached', label: 'Cached', color: chartColors.cached },
  { name: 'failed', label: 'Failed', color: chartColors.failed },
] as const;

const dayText = new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric', timeZone: 'UTC' });

const dayOf = ({ date }: Day) => dayText.format(new Date(date));

const isBusy = ({ completed, failed, cached }: Day) => completed + failed + cached > 0;

export function DailyChart({ days }: { days: Day[] }) {
  if (!days.some(isBusy)) {
    return (
      <EmptyState
        icon={IconChartBar}
        title="No captures in this period"
        action={
          <Anchor component={Link} to="/playground">
            Capture a page
          </Anchor>
        }
      >
        Captures are counted on the day of submission, in UTC.
      </EmptyState>
    );
  }
  const total = (name: (typeof outcomes)[number]['name']) => days.reduce((sum, day) => sum + day[name], 0);
  return (
    <>
      <Text size="sm" mb="md">
        {outcomes.map(({ name, label }) => `${label}: ${countText(total(name))}`).join(' · ')}
      </Text>
      <ChartOrTable
        what="Day (UTC)"
        rows={days.filter(isBusy).reverse()}
        nameOf={dayOf}
        columns={outcomes.map(({ name, label }) => ({ label, figureOf: (day: Day) => countText(day[name]) }))}
        chart={
          <BarChart
            h={280}
            data={days.map((day) => ({ ...day, day: dayOf(day) }))}
            dataKey="day"
            type="stacked"
            withLegend
            yAxisProps={{ allowDecimals: false }}
            series={outcomes.map(({ name, label, color }) => ({ name, label, color }))}
            barProps={{ maxBarSize: 36, isAnimationActive: false }}
            barChartProps={{ accessibilityLayer: false }}
          />
        }
      />
    </>
  );
}
