import { Button, Checkbox, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { usePages } from '../../api/pages.ts';
import type { CaptureRecord } from '../../api/responses.ts';
import { QualityMark } from '../../captures/quality.tsx';
import { Thumbnail } from '../../captures/thumbnail.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { durationText, kindText, shortPageText, sizeText } from '../../ui/figures.ts';
import { IconPhoto } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SelectionBar, useSelection } from '../../ui/selection-bar.tsx';
import { Status } from '../../ui/status.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { BulkActions } from './bulk-actions.tsx';
import classes from './gallery.module.css';
import { filterNames, GalleryFilters } from './gallery-filters.tsx';

/** Refresh interval while a capture is in progress, milliseconds. */
const refreshMs = 3_000;

const isInProgress = ({ status }: CaptureRecord) => status === 'queued' || status === 'processing';

export function Gallery() {
  const filters = useFilters(filterNames);
  const { filter, isFiltered } = filters;
  const selection = useSelection();
  const pages = usePages<'captures', CaptureRecord>('captures', '/api/v1/captures', filter, {
    refetchMs: (rows) => (rows.some(isInProgress) ? refreshMs : false),
  });
  return (
    <>
      <PageHeading
        title="Captures"
        lead="Everything you captured. Files are kept as long as your plan allows; records are kept longer."
        actions={
          <Button component={Link} to="/playground">
            New capture
          </Button>
        }
      />
      <GalleryFilters {...filters} />
      <PagedList pages={pages} what="captures" empty={<NoCaptures isFiltered={isFiltered} />}>
        {(rows) => (
          <>
            <SelectionBar selection={selection} ids={rows.map(({ request_id }) => request_id)} what="captures">
              <BulkActions
                captures={rows.filter(({ request_id }) => selection.selected.has(request_id))}
                onDone={() => selection.set([])}
              />
            </SelectionBar>
            <ul
              className={`${classes.grid} ${selection.selected.size > 0 ? classes.selecting : ''}`}
              aria-label="Captures"
            >
              {rows.map((capture) => (
                <li key={capture.request_id}>
                  <Card
                    capture={capture}
                    isSelected={selection.selected.has(capture.request_id)}
                    onSelect={() => selection.toggle(capture.request_id)}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </PagedList>
    </>
  );
}

interface CardProps {
  capture: CaptureRecord;
  isSelected: boolean;
  onSelect: () => void;
}

function Card({ capture, isSelected, onSelect }: CardProps) {
  const { request_id, url, type, status, created_at, duration_ms, file_size, file_url, quality, width, height } =
    capture;
  const title = shortPageText(url);
  return (
    <div className={`${classes.card} ${isSelected ? classes.selected : ''}`}>
      <Link to={`/captures/${request_id}`} className={classes.link ?? ''}>
        <Thumbnail id={request_id} status={status} fileUrl={file_url} width={width} height={height} />
        <div className={classes.text}>
          <span className={classes.url} title={url}>
            {title}
          </span>
          <Text span size="xs" c="dimmed">
            {kindText(type)} · <Moment at={created_at} />
          </Text>
          <Group justify="space-between" gap={4} mt="auto">
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
      <div className={classes.select}>
        <Checkbox size="xs" aria-label={`Select the capture of ${title}`} checked={isSelected} onChange={onSelect} />
      </div>
    </div>
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
