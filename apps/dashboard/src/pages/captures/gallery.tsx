import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPhoto } from '@tabler/icons-react';
import { Link } from 'react-router';
import { usePages } from '../../api/pages.ts';
import type { CaptureRecord } from '../../api/responses.ts';
import { kinds } from '../../captures/kinds.ts';
import { QualityMark } from '../../captures/quality.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { durationText, kindText, sizeText } from '../../ui/figures.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Status } from '../../ui/status.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import classes from './gallery.module.css';
import { Thumbnail } from './thumbnail.tsx';

const filterNames = ['status', 'type', 'batch_id'] as const;

const statuses = ['queued', 'processing', 'completed', 'failed', 'cancelled'];

/** Refresh interval while a capture is in progress, milliseconds. */
const refreshMs = 3_000;

const isInProgress = ({ status }: CaptureRecord) => status === 'queued' || status === 'processing';

/** All captures of the account, newest first. */
export function Gallery() {
  const { filter, isFiltered, change, clear } = useFilters(filterNames);
  const pages = usePages<'captures', CaptureRecord>('captures', '/api/v1/captures', filter, {
    refetchMs: (rows) => (rows.some(isInProgress) ? refreshMs : false),
  });
  const changeBatch = useDebouncedCallback((value: string) => change('batch_id', value.trim()), 400);
  return (
    <>
      <PageHeading
        title="Captures"
        lead="Everything you captured. Files are kept as long as your plan allows; records stay."
      />
      <Group mb="lg" align="flex-end" gap="sm">
        <FilterSelect
          label="Status"
          w={150}
          data={statuses}
          value={filter.status}
          onChange={(value) => change('status', value)}
        />
        <FilterSelect
          label="Type"
          w={150}
          data={kinds.map(({ type, label }) => ({ value: type, label }))}
          value={filter.type}
          onChange={(value) => change('type', value)}
        />
        <TextInput
          key={filter.batch_id}
          label="Batch"
          placeholder="batch_…"
          w={300}
          defaultValue={filter.batch_id ?? ''}
          onChange={(event) => changeBatch(event.currentTarget.value)}
        />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            Show all
          </Button>
        )}
      </Group>
      <PagedList pages={pages} what="captures" empty={<NoCaptures isFiltered={isFiltered} />}>
        {(rows) => (
          <ul className={classes.grid} aria-label="Captures">
            {rows.map((capture) => (
              <li key={capture.request_id}>
                <Card capture={capture} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

function Card({ capture }: { capture: CaptureRecord }) {
  const { request_id, url, type, status, created_at, duration_ms, file_size, quality } = capture;
  return (
    <Link to={`/captures/${request_id}`} className={classes.card ?? ''}>
      <Thumbnail capture={capture} />
      <div className={classes.text}>
        <span className={classes.url} title={url}>
          {url.replace(/^https?:\/\//, '')}
        </span>
        <Text span size="xs" c="dimmed">
          {kindText(type)} · <Moment at={created_at} />
        </Text>
        <Group justify="space-between" gap={4}>
          {status === 'completed' && quality && !quality.ok ? (
            <QualityMark quality={quality} />
          ) : (
            <Status value={status} />
          )}
          <Text span size="xs" c="dimmed">
            {status === 'completed' ? `${durationText(duration_ms)} · ${sizeText(file_size)}` : capture.error_code}
          </Text>
        </Group>
      </div>
    </Link>
  );
}

function NoCaptures({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={IconPhoto}
      title={isFiltered ? 'No matching captures' : 'No captures yet'}
      action={
        !isFiltered && (
          <Button component={Link} to="/playground">
            Capture a page
          </Button>
        )
      }
    >
      {isFiltered ? 'Change the filters, or show all.' : 'Captures from the dashboard and the API appear here.'}
    </EmptyState>
  );
}
