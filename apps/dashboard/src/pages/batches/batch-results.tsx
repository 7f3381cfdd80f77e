import { Anchor, Button, Center, Code, SegmentedControl, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import type { BatchResult, BatchWithResults } from '../../api/responses.ts';
import { Thumbnail } from '../../captures/thumbnail.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ownUrl } from '../../ui/figures.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from './batch-results.module.css';
import { resultsKey } from './use-batch-progress.ts';

const pageSize = 100;

/** Shows the result of each item, in the order of submission: as a list, or as a contact sheet. */
export function BatchResults({ id }: { id: string }) {
  const [view, setView] = useState('list');
  const found = useInfiniteQuery({
    queryKey: resultsKey(id),
    queryFn: ({ pageParam, signal }) =>
      request<BatchWithResults>('GET', `/api/v1/batches/${encodeURIComponent(id)}`, {
        query: { limit: pageSize, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const results = found.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <Surface
      title="Results"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Show results as"
          value={view}
          onChange={setView}
          data={[
            { value: 'list', label: 'List' },
            { value: 'sheet', label: 'Contact sheet' },
          ]}
        />
      }
    >
      {found.isPending && <Waiting what="Loading results" />}
      {found.error && <ProblemNote error={found.error} retry={() => void found.refetch()} />}
      {results.length > 0 && (view === 'list' ? <List results={results} /> : <Sheet results={results} />)}
      {found.hasNextPage && (
        <Center mt="md">
          <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show more results
          </Button>
        </Center>
      )}
    </Surface>
  );
}

/** Returns the part of a URL that distinguishes the pages of one site. */
const withoutHost = (url: string) => {
  const { host, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? host : `${pathname}${search}`;
};

const withoutScheme = (url: string) => url.replace(/^https?:\/\//, '');

function List({ results }: { results: BatchResult[] }) {
  return (
    <DataTable
      label="Results"
      rows={results}
      keyOf={({ request_id }) => request_id}
      columns={[
        {
          label: 'Page',
          cell: ({ request_id, url, status, file_url, error_code }) => (
            <div className={classes.page}>
              <div className={classes.preview}>
                <Thumbnail id={request_id} status={status} fileUrl={file_url} />
              </div>
              <div className={classes.text}>
                <Anchor component={Link} to={`/captures/${request_id}`} size="sm" fw={550}>
                  {withoutScheme(url)}
                </Anchor>
                {error_code && (
                  <Text size="xs" mt={2}>
                    <Code fz="xs">{error_code}</Code>
                  </Text>
                )}
              </div>
            </div>
          ),
        },
        { label: 'Status', fixed: true, width: 120, cell: ({ status }) => <Status value={status} /> },
        {
          label: 'File',
          fixed: true,
          width: 90,
          cell: ({ url, file_url }) =>
            file_url ? (
              <Anchor href={ownUrl(file_url)} target="_blank" size="sm" aria-label={`Open the file of ${url}`}>
                Open
              </Anchor>
            ) : (
              '–'
            ),
        },
      ]}
    />
  );
}

/** Shows all images at a glance, to find the wrong one. */
function Sheet({ results }: { results: BatchResult[] }) {
  return (
    <ul className={classes.sheet} aria-label="Contact sheet">
      {results.map(({ request_id, url, status, file_url, error_code }) => (
        <li key={request_id}>
          <Link to={`/captures/${request_id}`} className={classes.frame ?? ''}>
            <Thumbnail id={request_id} status={status} fileUrl={file_url} />
            <span className={classes.caption} title={url}>
              {withoutHost(url)}
            </span>
            {status !== 'completed' && <span className={classes.fault}>{error_code ?? status}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
