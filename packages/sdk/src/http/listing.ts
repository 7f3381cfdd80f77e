import type { RequestOptions, Transport } from './transport.ts';

/** A page of a list. */
export interface Page<Row> {
  rows: Row[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
}

/** A list, newest first, which is read page by page as it is gone through: `for await (const row of list)`. */
export class Listing<Row> implements AsyncIterable<Row> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Row>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<Row>>) {
    this.#read = read;
  }

  /** One page: the first, or that of the `cursor` that the list was asked for with. */
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
 * The list at a path.
 *
 * @param name what the answer calls its rows: `captures`.
 */
export function listingOf<Row>(
  transport: Transport,
  path: string,
  name: string,
  query: object = {},
  options: RequestOptions = {},
): Listing<Row> {
  return new Listing(async (cursor) => {
    const asked = cursor === undefined ? query : { ...query, cursor };
    const answer = await transport.json<Record<string, unknown>>(
      { method: 'GET', path, query: asked, repeat: 'safe' },
      options,
    );
    return { rows: answer[name] as Row[], nextCursor: answer.next_cursor as string | null };
  });
}
