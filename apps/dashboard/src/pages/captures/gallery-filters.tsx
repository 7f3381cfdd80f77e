import { Button, Group, Pill } from '@mantine/core';
import { kinds } from '../../captures/kinds.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { MomentFilter } from '../../ui/moment-filter.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import type { useFilters } from '../../ui/use-filters.ts';

/** Filters by their API names. */
export const filterNames = ['url', 'status', 'type', 'since', 'until', 'batch_id'] as const;

const statuses = ['queued', 'processing', 'completed', 'failed', 'cancelled'];

type Filters = ReturnType<typeof useFilters<(typeof filterNames)[number]>>;

export function GalleryFilters({ filter, isFiltered, change, clear }: Filters) {
  return (
    <Group mb="lg" align="flex-end" gap="sm">
      <CaptureSearch {...filter} change={change} />
      <MomentFilter label="From" value={filter.since} onChange={(value) => change('since', value)} />
      <MomentFilter label="Until" value={filter.until} onChange={(value) => change('until', value)} />
      {filter.batch_id && (
        <Pill
          size="lg"
          withRemoveButton
          onRemove={() => change('batch_id', null)}
          removeButtonProps={{ 'aria-label': 'Show captures of all batches', 'aria-hidden': false, tabIndex: 0 }}
        >
          Batch …{filter.batch_id.slice(-6)}
        </Pill>
      )}
      {isFiltered && (
        <Button variant="subtle" onClick={clear}>
          Show all
        </Button>
      )}
    </Group>
  );
}

interface CaptureSearchProps extends Record<'url' | 'status' | 'type', string | null> {
  change: (name: 'url' | 'status' | 'type', value: string | null) => void;
}

export function CaptureSearch({ url, status, type, change }: CaptureSearchProps) {
  return (
    <>
      <SearchField
        flex="1 1 220px"
        maw={360}
        label="Search by URL"
        placeholder="example.com/pricing"
        value={url}
        onChange={(value) => change('url', value)}
      />
      <FilterSelect
        label="Status"
        w={136}
        data={statuses}
        value={status}
        onChange={(value) => change('status', value)}
      />
      <FilterSelect
        label="Type"
        w={136}
        data={kinds.map(({ type, label }) => ({ value: type, label }))}
        value={type}
        onChange={(value) => change('type', value)}
      />
    </>
  );
}
