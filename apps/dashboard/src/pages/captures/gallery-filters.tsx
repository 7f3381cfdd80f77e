import { Button, CloseButton, Group, Pill, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { kinds } from '../../captures/kinds.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { IconSearch } from '../../ui/icons.tsx';
import { MomentFilter } from '../../ui/moment-filter.tsx';
import type { useFilters } from '../../ui/use-filters.ts';

/** Filters by their API names. */
export const filterNames = ['url', 'status', 'type', 'since', 'until', 'batch_id'] as const;

export const captureStatuses = ['queued', 'processing', 'completed', 'failed', 'cancelled'];

type Filters = ReturnType<typeof useFilters<(typeof filterNames)[number]>>;

export function GalleryFilters({ filter, isFiltered, change, clear }: Filters) {
  return (
    <Group mb="lg" align="flex-end" gap="sm">
      <UrlSearch value={filter.url} onChange={(value) => change('url', value)} />
      <FilterSelect
        label="Status"
        w={136}
        data={captureStatuses}
        value={filter.status}
        onChange={(value) => change('status', value)}
      />
      <FilterSelect
        label="Type"
        w={136}
        data={kinds.map(({ type, label }) => ({ value: type, label }))}
        value={filter.type}
        onChange={(value) => change('type', value)}
      />
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

/** A search that follows the typing. */
export function UrlSearch({ value, onChange }: { value: string | null; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value ?? '');
  const apply = useDebouncedCallback((text: string) => onChange(text.trim()), 300);
  // Cleared elsewhere.
  useEffect(() => {
    if (value === null) setTyped('');
  }, [value]);
  const enter = (text: string) => {
    setTyped(text);
    apply(text);
  };
  return (
    <TextInput
      flex="1 1 220px"
      maw={360}
      label="Search by URL"
      placeholder="example.com/pricing"
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => enter('')} />}
      value={typed}
      onChange={(event) => enter(event.currentTarget.value)}
    />
  );
}
