import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { Text } from '@mantine/core';
import { ChartOrTable } from '../../../ui/chart-or-table.tsx';
import { countText, durationText } from '../../../ui/figures.ts';
import type { Bucket } from './buckets.ts';

interface OverTimeProps {
  buckets: Bucket[];
  /** Counts are stacked bars, durations are lines. */
  kind: 'counts' | 'durations';
  series: { name: Exclude<keyof Bucket, 'at'>; label: string; color: string }[];
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

const timeOf = ({ at }: Bucket) => clock.format(new Date(at));

export function OverTime({ buckets, kind, series }: OverTimeProps) {
  const text = kind === 'counts' ? countText : durationText;
  const isBusy = (bucket: Bucket) => series.some(({ name }) => bucket[name]);
  if (!buckets.some(isBusy)) return <Text size="sm">No activity in this period.</Text>;
  return (
    <>
      <Text size="sm" mb="md">
        {series.map(({ name, label }) => `${label}: ${summary(buckets, name, kind)}`).join(' · ')}
      </Text>
      <ChartOrTable
        what="From"
        rows={buckets.filter(isBusy).reverse()}
        nameOf={timeOf}
        columns={series.map(({ name, label }) => ({
          label,
          figureOf: (bucket: Bucket) => (bucket[name] === null ? '–' : text(bucket[name])),
        }))}
        chart={<Chart buckets={buckets} kind={kind} series={series} />}
      />
    </>
  );
}

function Chart({ buckets, kind, series }: OverTimeProps) {
  const common = {
    h: 260,
    data: buckets.map((bucket) => ({ ...bucket, time: timeOf(bucket) })),
    dataKey: 'time',
    withLegend: true,
    // The legend keeps the order of the series.
    legendProps: { itemSorter: null },
    series,
    valueFormatter: kind === 'counts' ? countText : durationText,
    xAxisProps: { interval: 'equidistantPreserveStart' as const },
    yAxisProps: { width: 64, allowDecimals: false },
  };
  if (kind === 'durations') {
    return (
      <LineChart
        {...common}
        curveType="monotone"
        connectNulls={false}
        dotProps={{ r: 2 }}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={{ accessibilityLayer: false }}
      />
    );
  }
  return (
    <BarChart
      {...common}
      type="stacked"
      barProps={{ maxBarSize: 20, isAnimationActive: false }}
      barChartProps={{ accessibilityLayer: false }}
    />
  );
}

/** The total of counts, or the worst duration. */
function summary(
  buckets: Bucket[],
  name: OverTimeProps['series'][number]['name'],
  kind: OverTimeProps['kind'],
): string {
  const figures = buckets.map((bucket) => bucket[name]).filter((figure) => figure !== null);
  if (kind === 'counts') return countText(figures.reduce((sum, figure) => sum + figure, 0));
  return figures.length === 0 ? '–' : `max ${durationText(Math.max(...figures))}`;
}
