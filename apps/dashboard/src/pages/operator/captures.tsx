import { Anchor, Button, Code, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { usePages } from '../../api/pages.ts';
import type { OperatorCapture } from '../../api/responses.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { durationText, kindText, shortPageText, sizeText } from '../../ui/figures.ts';
import { IconPhoto } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { MomentFilter } from '../../ui/moment-filter.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { CaptureSearch } from '../captures/gallery-filters.tsx';
import { IdFilter } from './id-filter.tsx';

/** Filters by their API names. */
const filterNames = ['url', 'status', 'type', 'account_id', 'since', 'until'] as const;

const refreshMs = 5_000;

const isInProgress = ({ completed_at }: OperatorCapture) => completed_at === null;

/** Lists the captures of all accounts without images and options, which only the owners may see. */
export function AllCaptures() {
  const { filter, isFiltered, change, clear } = useFilters(filterNames);
  const pages = usePages<'captures', OperatorCapture>('captures', '/api/operator/captures', filter, {
    limit: 50,
    refetchMs: (rows) => (rows.length <= 50 && rows.some(isInProgress) ? refreshMs : false),
  });
  return (
    <>
      <PageHeading
        title="Captures"
        lead="What happened to the captures of all accounts. Images and options stay with their owners."
      />
      <Group mb="lg" align="flex-end" gap="sm">
        <CaptureSearch {...filter} change={change} />
        <IdFilter
          key={filter.account_id}
          label="Account ID"
          value={filter.account_id}
          onChange={(value) => change('account_id', value)}
        />
        <MomentFilter label="From" value={filter.since} onChange={(value) => change('since', value)} />
        <MomentFilter label="Until" value={filter.until} onChange={(value) => change('until', value)} />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            Show all
          </Button>
        )}
      </Group>
      <Surface>
        <PagedList
          pages={pages}
          what="captures"
          empty={
            <EmptyState icon={IconPhoto} title={isFiltered ? 'No matching captures' : 'No captures yet'}>
              {isFiltered ? 'Change the filters, or show all.' : 'Captures of all accounts appear here.'}
            </EmptyState>
          }
        >
          {(rows) => <CaptureTable captures={rows} />}
        </PagedList>
      </Surface>
    </>
  );
}

function CaptureTable({ captures }: { captures: OperatorCapture[] }) {
  return (
    <DataTable
      label="Captures"
      rows={captures}
      keyOf={({ request_id }) => request_id}
      columns={[
        {
          label: 'URL',
          cell: ({ url, request_id, error_message }) => (
            <>
              <Text size="sm" fw={550}>
                {shortPageText(url)}
              </Text>
              <Text size="xs" c="dimmed">
                {request_id}
              </Text>
              {error_message && (
                <Text size="xs" c="var(--bad)" mt={2}>
                  {error_message}
                </Text>
              )}
            </>
          ),
        },
        {
          label: 'Account',
          width: 230,
          cell: ({ account_id, account_email }) => (
            <Anchor component={Link} to={`?account_id=${account_id}`} size="sm">
              {account_email || account_id}
            </Anchor>
          ),
        },
        {
          label: 'Status',
          fixed: true,
          cell: ({ status, error_code }) => (
            <>
              <Status value={status} />
              {error_code && (
                <Text size="xs" mt={4}>
                  <Code fz="xs">{error_code}</Code>
                </Text>
              )}
            </>
          ),
        },
        { label: 'Type', fixed: true, cell: ({ type }) => kindText(type) },
        { label: 'Took', end: true, fixed: true, cell: ({ duration_ms }) => durationText(duration_ms) },
        { label: 'Size', end: true, fixed: true, cell: ({ file_size }) => sizeText(file_size) },
        { label: 'Created', fixed: true, cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  );
}
