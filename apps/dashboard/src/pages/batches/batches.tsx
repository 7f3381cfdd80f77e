import { Anchor, Button } from '@mantine/core';
import { Link } from 'react-router';
import { usePages } from '../../api/pages.ts';
import type { Batch } from '../../api/responses.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countText } from '../../ui/figures.ts';
import { IconStack2 } from '../../ui/icons.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import { BatchBar } from './batch-bar.tsx';

const refreshMs = 3_000;

const newBatch = (
  <Button component={Link} to="/batches/new">
    New batch
  </Button>
);

export function Batches() {
  const pages = usePages<'batches', Batch>(
    'batches',
    '/api/v1/batches',
    {},
    {
      refetchMs: (rows) => (rows.some(({ pending }) => pending > 0) ? refreshMs : false),
    },
  );
  return (
    <>
      <PageHeading title="Batches" lead="Capture many pages with one request." actions={newBatch} />
      <Surface>
        <PagedList
          pages={pages}
          what="batches"
          empty={
            <EmptyState icon={IconStack2} title="No batches yet" action={newBatch}>
              Paste or upload a list of URLs to capture them all with the same options.
            </EmptyState>
          }
        >
          {(rows) => <BatchTable batches={rows} />}
        </PagedList>
      </Surface>
    </>
  );
}

function BatchTable({ batches }: { batches: Batch[] }) {
  return (
    <DataTable
      label="Batches"
      rows={batches}
      keyOf={({ batch_id }) => batch_id}
      columns={[
        {
          label: 'Batch',
          cell: ({ batch_id, total }) => (
            <Anchor component={Link} to={`/batches/${batch_id}`} size="sm" fw={550}>
              {countText(total)} page{total === 1 ? '' : 's'}
            </Anchor>
          ),
        },
        { label: 'Status', fixed: true, cell: ({ status }) => <Status value={status} /> },
        { label: 'Progress', width: 320, cell: (batch) => <BatchBar batch={batch} /> },
        { label: 'Submitted', fixed: true, cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  );
}
