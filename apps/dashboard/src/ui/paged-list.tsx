import { Button, Center, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pages } from '../api/pages.ts';
import { ProblemNote } from './problem-note.tsx';
import { Waiting } from './waiting.tsx';

interface PagedListProps<Row> {
  pages: Pages<Row>;
  /** The plural name of the rows. */
  what: string;
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}

/** Shows a list in all its states: loading, failed, empty, loaded, and with more pages. */
export function PagedList<Row>({ pages, what, empty, children }: PagedListProps<Row>) {
  const { rows, isPending, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  if (isPending) return <Waiting what={`Loading ${what}`} />;
  if (error && rows.length === 0) return <ProblemNote error={error} retry={() => void refetch()} />;
  if (rows.length === 0 && !hasNextPage) return empty;
  return (
    <>
      {rows.length > 0 ? children(rows) : <Text ta="center">No {what} found yet.</Text>}
      {error && <ProblemNote error={error} retry={() => void (hasNextPage ? fetchNextPage() : refetch())} />}
      {hasNextPage && (
        <Center mt="lg">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {rows.length > 0 ? `Show more ${what}` : `Search older ${what}`}
          </Button>
        </Center>
      )}
    </>
  );
}
