import '@mantine/dates/styles.css';
import { Button, Group } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import type { Endpoint } from '../../api/answers.ts';
import { usePages } from '../../api/pages.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { useFilters } from '../../ui/use-filters.ts';

/** What the log is filtered by, in the API's names. */
export const filterNames = ['status', 'event', 'webhook_id', 'since', 'until'] as const;

/** An account has fewer endpoints than this. */
const limit = 100;

export function DeliveryFilters({ events }: { events: string[] }) {
  const { filter, isFiltered, change, clear } = useFilters(filterNames);
  const { rows: endpoints } = usePages<'webhooks', Endpoint>('webhooks', '/api/v1/webhooks', {}, { limit });
  const moment = (name: 'since' | 'until', label: string) => (
    <DateTimePicker
      label={label}
      placeholder="Any time"
      clearable
      w={200}
      valueFormat="D MMM YYYY HH:mm"
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      value={localText(filter[name])}
      onChange={(chosen) => change(name, chosen && new Date(chosen.replace(' ', 'T')).toISOString())}
    />
  );
  return (
    <Group mb="lg" align="flex-end" gap="sm">
      <FilterSelect
        label="Status"
        w={140}
        data={['pending', 'delivered', 'failed', 'paused']}
        value={filter.status}
        onChange={(value) => change('status', value)}
      />
      <FilterSelect
        label="Event"
        w={190}
        data={events}
        value={filter.event}
        onChange={(value) => change('event', value)}
      />
      <FilterSelect
        label="Endpoint"
        w={260}
        data={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
        value={filter.webhook_id}
        onChange={(value) => change('webhook_id', value)}
      />
      {moment('since', 'From')}
      {moment('until', 'Until')}
      {isFiltered && (
        <Button variant="subtle" onClick={clear}>
          Show all
        </Button>
      )}
    </Group>
  );
}

/** A moment in the picker's own spelling, in the time of who looks at it. */
function localText(iso: string | null): string | null {
  if (iso === null) return null;
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return null;
  const two = (part: number) => String(part).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
