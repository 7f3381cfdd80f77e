import { useInfiniteQuery } from '@tanstack/react-query';
import { type Query, request } from './request.ts';

/** Rows in one page. */
const pageSize = 24;

export interface Pages<Row> {
  rows: Row[];
  isPending: boolean;
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch(): Promise<unknown>;
  fetchNextPage(): Promise<unknown>;
}

type PageOf<Name extends string, Row> = { [name in Name]: Row[] } & { next_cursor: string | null };

/**
 * Reads a list page by page, on demand.
 *
 * @param name of the rows in the response, and of the list in the cache.
 */
export function usePages<Name extends string, Row>(
  name: Name,
  path: string,
  query: Query = {},
  options: { limit?: number; refetchMs?: (rows: Row[]) => number | false } = {},
): Pages<Row> {
  const { limit = pageSize, refetchMs } = options;
  const found = useInfiniteQuery({
    queryKey: [name, path, query],
    queryFn: ({ pageParam, signal }) =>
      request<PageOf<Name, Row>>('GET', path, { query: { ...query, limit, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => refetchMs?.(state.data?.pages.flatMap((page) => page[name]) ?? []) ?? false,
  });
  const rows: Row[] = found.data?.pages.flatMap((page) => page[name]) ?? [];
  return { ...found, rows };
}
