import type { RequestOptions, Transport } from './transport.ts';

export interface Page<Row> {
  rows: Row[];
  /** The `cursor` of the next page; null on the last page. */
  nextCursor: string | null;
}

/** A list, newest first, that is read page by page during iteration: `for await (const row of list)`. */
export class Listing<Row> implements AsyncIterable<Row> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Row>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<Row>>) {
    this.#read = read;
  }

  /** Reads one page: the first, or the page at the `cursor` in the query. */
  page(): Promise<Page<Row>> {
    return this.#read(undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const { rows, nextCursor }: Page<Row> = await this.#read(cursor);
      yield* rows;
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }
}

/**
 * Returns the list at a path.
 *
 * @param name of the rows in the response: `captures`.
 */
export function listingOf<Row>(
  transport: Transport,
  path: string,
  name: string,
  query: object = {},
  options: RequestOptions = {},
): Listing<Row> {
  return new Listing(async (cursor) => {
    const pageQuery = cursor === undefined ? query : { ...query, cursor };
    const response = await transport.json<Record<string, unknown>>(
      { method: 'GET', path, query: pageQuery, repeat: 'safe' },
      options,
    );
    return { rows: response[name] as Row[], nextCursor: response.next_cursor as string | null };
  });
}
