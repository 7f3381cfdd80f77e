import { Anchor, Button, Table } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { usePages } from '../../api/pages.ts';
import type { Batch } from '../../api/responses.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countText } from '../../ui/figures.ts';
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

/** All batches of the account, newest first. */
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
    <Table.ScrollContainer minWidth={380}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Batch</Table.Th>
            <Table.Th>Progress</Table.Th>
            <Table.Th>Submitted</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {batches.map((batch) => (
            <Table.Tr key={batch.batch_id}>
              <Table.Td>
                <Anchor component={Link} to={`/batches/${batch.batch_id}`} size="sm">
                  {countText(batch.total)} page{batch.total === 1 ? '' : 's'}
                </Anchor>
                <div style={{ marginTop: 4 }}>
                  <Status value={batch.status} />
                </div>
              </Table.Td>
              <Table.Td miw={150}>
                <BatchBar batch={batch} />
              </Table.Td>
              <Table.Td>
                <Moment at={batch.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
