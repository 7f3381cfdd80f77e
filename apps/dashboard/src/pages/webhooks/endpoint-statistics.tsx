import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { EndpointStatistics } from '../../api/responses.ts';
import { countText, shareText } from '../../ui/figures.ts';
import classes from './endpoint-statistics.module.css';

const days = 14;

const refreshMs = 30_000;

type Day = EndpointStatistics['days'][number];

const endedOf = ({ delivered, failed }: Day) => delivered + failed;

/** Shows the share of deliveries that succeeded, and a bar for each day. */
export function Statistics({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['webhooks', 'statistics', id],
    queryFn: ({ signal }) =>
      request<EndpointStatistics>('GET', `/api/v1/webhooks/${id}/statistics`, { query: { days }, signal }),
    refetchInterval: refreshMs,
  });
  // The empty element keeps its space, so that the page does not jump.
  if (!data) return <div className={classes.statistics} />;
  const sum = (name: 'delivered' | 'failed' | 'pending') => data.days.reduce((total, day) => total + day[name], 0);
  const [delivered, failed, pending] = [sum('delivered'), sum('failed'), sum('pending')];
  const ended = delivered + failed;
  const highest = Math.max(1, ...data.days.map((day) => endedOf(day) + day.pending));
  return (
    <div className={classes.statistics}>
      <div>
        <Text fz="xl" fw={620} lh={1.2} c={delivered < failed ? 'var(--bad)' : 'inherit'}>
          {ended === 0 ? '–' : shareText((delivered / ended) * 100)}
        </Text>
        <Text size="xs" c="dimmed">
          {ended === 0 ? 'no delivery ended' : 'delivered'} in {days} days
        </Text>
      </div>
      <div className={classes.bars} aria-hidden>
        {data.days.map((day) => (
          <div key={day.date} className={classes.day} title={titleOf(day)}>
            <div className={classes.failed} style={{ height: `${(day.failed / highest) * 100}%` }} />
            <div className={classes.pending} style={{ height: `${(day.pending / highest) * 100}%` }} />
            <div className={classes.delivered} style={{ height: `${(day.delivered / highest) * 100}%` }} />
          </div>
        ))}
      </div>
      <ul className={classes.legend}>
        <li className={classes.isDelivered}>{countText(delivered)} delivered</li>
        <li className={classes.isFailed}>{countText(failed)} failed</li>
        <li className={classes.isPending}>{countText(pending)} pending</li>
      </ul>
    </div>
  );
}

const titleOf = ({ date, delivered, failed, pending }: Day) =>
  `${date}: ${countText(delivered)} delivered, ${countText(failed)} failed, ${countText(pending)} pending`;
