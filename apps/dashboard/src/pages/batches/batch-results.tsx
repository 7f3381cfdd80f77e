import { Anchor, Button, Center, Code, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import type { BatchWithResults } from '../../api/responses.ts';
import { ownUrl } from '../../ui/figures.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { resultsKey } from './use-batch-progress.ts';

const pageSize = 100;

/** The result of each item, in the order of submission. */
export function BatchResults({ id }: { id: string }) {
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
  if (found.isPending) return <Waiting what="Loading results" />;
  if (found.error) return <ProblemNote error={found.error} retry={() => void found.refetch()} />;
  const results = found.data.pages.flatMap((page) => page.results);
  return (
    <>
      <Table.ScrollContainer minWidth={300}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={120}>Status</Table.Th>
              <Table.Th>URL and result</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {results.map(({ request_id, url, status, error_code, file_url }) => (
              <Table.Tr key={request_id}>
                <Table.Td>
                  <Status value={status} />
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Anchor component={Link} to={`/captures/${request_id}`} size="sm">
                    {url}
                  </Anchor>
                  <Text size="xs" component="div">
                    {error_code && <Code fz="xs">{error_code}</Code>}
                    {file_url && (
                      <Anchor href={ownUrl(file_url)} target="_blank" size="xs" aria-label={`Open the file of ${url}`}>
                        Open the file
                      </Anchor>
                    )}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {found.hasNextPage && (
        <Center mt="md">
          <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show more results
          </Button>
        </Center>
      )}
    </>
  );
}
