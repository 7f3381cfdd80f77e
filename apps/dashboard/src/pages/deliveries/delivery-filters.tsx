import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { MomentFilter } from '../../ui/moment-filter.tsx';
import { useFilters } from '../../ui/use-filters.ts';

interface DeliveryFiltersProps {
  events: string[];
  /** Whether any filter is set, including those of `children`. */
  isFiltered: boolean;
  children: ReactNode;
}

/** Filters a list of deliveries. The URL has the filters by their API names. */
export function DeliveryFilters({ events, isFiltered, children }: DeliveryFiltersProps) {
  const { filter, change, clear } = useFilters(['status', 'event', 'since', 'until']);
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
      {children}
      <MomentFilter label="From" value={filter.since} onChange={(value) => change('since', value)} />
      <MomentFilter label="Until" value={filter.until} onChange={(value) => change('until', value)} />
      {isFiltered && (
        <Button variant="subtle" onClick={clear}>
          Show all
        </Button>
      )}
    </Group>
  );
}
